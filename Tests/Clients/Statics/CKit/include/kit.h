// What a library of C keeps for itself.

#ifndef STATICS_KIT_H
#define STATICS_KIT_H

extern int kit_global;
extern int kit_zero;

int kit_first_count(void);
int kit_second_count(void);
int kit_calls(void);
int kit_setups(void);
int kit_thread_count(void);
int kit_thread_zero(void);
const char *kit_name(void);
void kit_rename(void);

#endif
