// Methods of Foundation's classes that are called by the tables of these.
#ifndef STAMPEDE_METHODS_H
#define STAMPEDE_METHODS_H

/// Puts ours in the place of a method in the table of its class. Nothing where the program has no such class or method.
void replace_method(const void **class, const void *method, const void *ours);

/// Has `Bundle.main.appStoreReceiptURL` asked of `find`: an optional URL as its two words, the first of them retained. In programs
/// in which the runtime stands aside too: no function stands in front of another's for it.
void receipt_stand_in_front(void (*find)(void *words[2]));

#endif
