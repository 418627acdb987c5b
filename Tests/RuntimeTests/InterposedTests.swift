// Which of the C library's functions come to the runtime: those of its table, and every one that takes a path or starts a
// program, but for some with a reason. What takes a path is what the system's headers say.

import ClientKit
import Foundation
import RuntimePrograms
import Testing

@testable import Simulation

@Suite(.enabled(if: AppRuntime.isInForce)) struct InterposedTests {
    /// The C library's functions that take a path, or start a program: what it exports of these families.
    private static let names = """
        access eaccess euidaccess faccessat stat lstat fstatat statx statfs statvfs pathconf readlink readlinkat realpath
        canonicalize_file_name opendir scandir scandirat getxattr lgetxattr listxattr llistxattr stat64 lstat64 fstatat64
        statfs64 statvfs64 scandir64 scandirat64 open openat open64 openat64 __open_2 __open64_2 __openat_2 __openat64_2
        creat creat64 fopen fopen64 freopen mkostemps mkostemp mkstemps mkstemp mkostemps64 mkostemp64 mkstemps64 mkstemp64
        mkdtemp rename renameat renameat2 unlink unlinkat rmdir remove mkdir mkdirat mkfifo mkfifoat mknod mknodat link linkat
        symlink symlinkat truncate truncate64 chmod lchmod fchmodat chown lchown fchownat utime utimes lutimes futimesat utimensat
        setxattr lsetxattr removexattr lremovexattr chdir getcwd fts_open fts_read fts_children fts_close
        posix_spawn posix_spawnp fork vfork daemon system popen execve execv execvp execvpe fexecve execveat execl execle
        execlp chroot mount umount umount2
        glob glob64 ftw ftw64 nftw nftw64 fts64_open getwd get_current_dir_name tmpfile tmpfile64 tmpnam tempnam mktemp
        freopen64 bind dlopen shm_open sem_open mq_open inotify_add_watch name_to_handle_at acct swapon pivot_root
        swapoff revoke setmntent getfsfile getfsspec utmpname utmpxname mq_unlink sem_unlink ftok dlmopen shm_unlink fanotify_mark fspick open_tree mount_setattr
        """.split { $0 == " " || $0 == "\n" }.map(String.init)

    /// Those that stay the system's.
    private static let left = [
        "it walks by functions within the C library: client code finds nothing of its home by it": [
            "glob", "glob64", "ftw", "ftw64", "nftw", "nftw64", "fts64_open",
        ],
        "it tells the worker's own folder, of which client code has no other way to learn": [
            "getwd", "get_current_dir_name",
        ],
        "what it makes is outside any home, and goes with the process": [
            "tmpfile", "tmpfile64", "tmpnam", "tempnam", "mktemp", "shm_open", "sem_open", "mq_open", "shm_unlink",
            "mq_unlink", "sem_unlink",
        ],
        "the allocator may call it": ["dlopen"], "it loads a library apart from all others": ["dlmopen"],
        "it looks at files that are no app's": [
            "setmntent", "getfsfile", "getfsspec", "utmpname", "utmpxname", "ftok",
        ],
        "it changes no file, or only what the kernel keeps from users": [
            "bind", "inotify_add_watch", "name_to_handle_at", "acct", "swapon", "pivot_root", "swapoff",
            "revoke", "fanotify_mark", "fspick", "open_tree", "mount_setattr",
        ],
        "code built for files of any size on 64 bits calls the other": ["freopen64"],
    ]

    private static let library = dlopen("libc.so.6", RTLD_NOW)

    /// Whether a call of this name by any module comes to something else than the C library's; nil where that has none.
    private static func isInterposed(_ name: String) -> Bool? {
        dlsym(library, name).map { $0 != dlsym(nil, name) }
    }

    @Test func everyPathAndProcessFunctionIsInterposed() {
        let left = Set(Self.left.values.joined())
        for name in Self.names {
            guard let isInterposed = Self.isInterposed(name) else { continue }
            #expect(isInterposed != left.contains(name), "\(name)")
        }
        #expect(left.isSubset(of: Self.names))
    }

    /// Functions whose names are no paths, or that only take note of one for another call.
    private static let noPaths: Set = [
        "dlsym", "dlvsym", "getenv", "secure_getenv", "setenv", "unsetenv", "getpwnam", "getpwnam_r", "getgrnam",
        "getgrnam_r", "fgetxattr", "fsetxattr", "fremovexattr", "sethostname", "setdomainname", "setlogin",
        "posix_spawn_file_actions_addopen", "posix_spawn_file_actions_addchdir_np", "gethostbyname", "gethostbyname2",
        "gethostbyname_r", "gethostbyname2_r", "getnetbyname", "getnetbyname_r", "getprotobyname", "getprotobyname_r",
        "getservbyname", "getservbyname_r", "getrpcbyname", "getaddrinfo", "getspnam", "getspnam_r", "getsgnam",
        "getsgnam_r", "getaliasbyname", "getaliasbyname_r", "if_nametoindex", "memfd_create", "__assert",
        "__assert_fail", "__assert_perror_fail", "error_at_line",
        "basename", "fnmatch", "envz_add", "envz_entry", "envz_get", "envz_remove", "pthread_setname_np", "rexec",
        "rexec_af",
    ]

    @Test func headersDeclareNoOtherFunctionThatTakesAPath() throws {
        let known = Self.noPaths.union(Self.names)
        var found: Set<String> = []
        for folder in ["", "sys/", "x86_64-linux-gnu/sys/", "aarch64-linux-gnu/sys/"].map({ "/usr/include/" + $0 }) {
            for file in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where file.hasSuffix(".h")
            {
                guard let text = try? String(contentsOfFile: folder + file, encoding: .utf8) else { continue }
                found.formUnion(Self.declaredWithPaths(text).filter { Self.isInterposed($0) != nil })
            }
        }
        #expect(found.count > 70, "these are not the headers of the GNU C library: \(found.sorted())")
        #expect(found.subtracting(known).sorted() == [])
    }

    private static let declaration = try? NSRegularExpression(
        pattern: #"extern [^;(]*?(\w+)\s*\([^;]*?const char \*\s*(__restrict )?"#
            + #"__(path|file|filename|name|from|to|old|new|fname|special_file)\b"#)

    /// The functions that a header of the GNU C library declares with a path among their parameters.
    private static func declaredWithPaths(_ header: String) -> [String] {
        let found = declaration?.matches(in: header, range: NSRange(header.startIndex..., in: header)) ?? []
        return found.compactMap { Range($0.range(at: 1), in: header).map { String(header[$0]) } }
    }

    @Test func everyRowOfTheTableIsInterposed() throws {
        let package = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let table = try String(
            contentsOf: package.appendingPathComponent("Sources/Hosting/C/Linking/interposed.def"), encoding: .utf8)
        let withResult = #/\n(?:LOOKS|LOOKS_AT|PROGRAM)\(\s*[^,(]+,\s*(\w+),/#
        let others = #/\n(?:ADJUSTS|ADJUSTS_AT|EFFECT|EFFECT_AT|MOVES|NOT_PERMITTED|NOT_DONE)\(\s*(\w+),/#
        let rows = (table.matches(of: withResult) + table.matches(of: others)).map { String($0.1) }
        #expect(rows.count > 80 && Set(rows).count == rows.count)
        for name in rows { #expect(Self.isInterposed(name) == true, "\(name)") }
    }

    @Test func interposedFunctionsFindTheDevicesHome() throws {
        FoundationHooks.install()
        let (device, other) = (ProgramDevice(), ProgramDevice())
        let log = Log()
        #expect(
            device.run {
                let home = NSHomeDirectory()
                func path(_ name: String) -> String { "\(home)/\(name)" }
                try? "nine".write(toFile: path("goods"), atomically: false, encoding: .utf8)
                log.add("\(linkat(AT_FDCWD, path("goods"), AT_FDCWD, path("copy"), 0))")
                log.add("\(symlinkat("goods", AT_FDCWD, path("way")))")
                var room = [CChar](repeating: 0, count: 64)
                log.add("\(readlinkat(AT_FDCWD, path("way"), &room, 63)) \(String(cString: room))")
                log.add((try? String(contentsOfFile: path("copy"), encoding: .utf8)) ?? "none")
                var times = utimbuf(actime: 1, modtime: 2)
                log.add("\(utime(path("copy"), &times)) \(fchmodat(AT_FDCWD, path("copy"), 0o600, 0))")
                var volume = statvfs()
                log.add("\(statvfs(path("copy"), &volume)) \(lchown(path("copy"), getuid(), getgid()))")
                let isLong = pathconf(path("copy"), Int32(_PC_NAME_MAX)) > 0
                log.add("\(faccessat(AT_FDCWD, path("copy"), R_OK, 0)) \(isLong)")
                log.add("\(mkfifo(path("pipe"), 0o600)) \(access(path("pipe"), F_OK))")
                log.add("\(mkfifo("/tmp/outside", 0o600)) \(errno == EPERM)")
            })
        let found = ["0", "0", "5 goods", "nine", "0 0", "0 0", "0 true", "0 0", "-1 true"]
        #expect(log.lines == found)
        #expect(other.run { log.add("\(faccessat(AT_FDCWD, "\(NSHomeDirectory())/copy", R_OK, 0))") })
        #expect(log.lines == found + ["-1"])
        #expect(access("/tmp/outside", F_OK) != 0)
    }
}
