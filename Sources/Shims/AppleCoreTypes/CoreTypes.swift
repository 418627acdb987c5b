// The names of Core Foundation that Security and SystemConfiguration export on Apple's systems. Each stands for the
// Foundation class to which Apple bridges it, so that this compiles:
// `[kSecClass as String: kSecClassGenericPassword] as CFDictionary`.
// Values; any thread.

public import Foundation

public typealias CFTypeRef = AnyObject
public typealias CFString = NSString
public typealias CFDictionary = NSDictionary
public typealias CFMutableDictionary = NSMutableDictionary
public typealias CFArray = NSArray
public typealias CFData = NSData
public typealias CFDate = NSDate
public typealias CFNumber = NSNumber
public typealias CFBoolean = NSNumber
public typealias CFError = NSError
public typealias CFRunLoop = RunLoop
/// An allocator. There is only one way to allocate memory.
public typealias CFAllocator = NSNull
public typealias OSStatus = Int32

public let kCFBooleanTrue: CFBoolean! = true
public let kCFBooleanFalse: CFBoolean! = false
public let kCFAllocatorDefault: CFAllocator! = nil
public let noErr: OSStatus = 0
