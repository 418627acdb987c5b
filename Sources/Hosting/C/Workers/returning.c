// Client code that spends its time in what it calls, an allocator for one, is left when that comes back: it may hold locks until
// then. Its return address is exchanged for one of ours.

#include "returning.h"

#if defined(__x86_64__)

#include <unwind.h>

/// Of the calling thread: where what is met would return to, and what is done then. 0: nothing is met.
static __thread uint64_t met_return;
static __thread bool (*met_may_leave)(uint64_t place);
static __thread bool (*met_is_end)(uint64_t place);
static __thread void (*met_leave)(uint64_t place);

/// No address, in place of one: the stack is being looked at. A signal that comes meanwhile must not exchange an address that
/// the look has yet to go by.
enum { looks_at_stack = 1 };

/// Jumps to the address that `stampede_came_back` returns, with all that the function has returned: Swift's return up to four values,
/// and keep two registers more.
void stampede_back(void);
__asm__(
    ".text\n"
    ".type stampede_back, @function\n"
    "stampede_back:\n"
    "  pushq $0\n"
    "  pushq %rax\n"
    "  pushq %rdx\n"
    "  pushq %rcx\n"
    "  pushq %r8\n"
    "  pushq %r12\n"
    "  pushq %r13\n"
    "  subq $72, %rsp\n"
    "  movups %xmm0, (%rsp)\n"
    "  movups %xmm1, 16(%rsp)\n"
    "  movups %xmm2, 32(%rsp)\n"
    "  movups %xmm3, 48(%rsp)\n"
    "  call stampede_came_back\n"
    "  movq %rax, 120(%rsp)\n"
    "  movups (%rsp), %xmm0\n"
    "  movups 16(%rsp), %xmm1\n"
    "  movups 32(%rsp), %xmm2\n"
    "  movups 48(%rsp), %xmm3\n"
    "  addq $72, %rsp\n"
    "  popq %r13\n"
    "  popq %r12\n"
    "  popq %r8\n"
    "  popq %rcx\n"
    "  popq %rdx\n"
    "  popq %rax\n"
    "  ret\n"
    ".size stampede_back, . - stampede_back\n");

/// Called by it.
__attribute__((used)) uint64_t stampede_came_back(void) {
    uint64_t place = met_return;
    met_return = 0;
    // A call returns to just behind itself.
    if (met_may_leave(place - 1)) met_leave(place - 1);
    return place;
}

/// Looks at a frame, from the innermost outward.
static _Unwind_Reason_Code look(struct _Unwind_Context *frame, void *ignored) {
    uint64_t place = _Unwind_GetIP(frame);
    if (met_is_end(place)) return _URC_NORMAL_STOP;
    if (!met_may_leave(place - 1)) return _URC_NO_REASON;
    // Where the call has put it: below what the stack was when it was made.
    uint64_t *kept = (uint64_t *)(_Unwind_GetCFA(frame) - sizeof(uint64_t));
    if (*kept == place) {
        met_return = place;
        *kept = (uint64_t)stampede_back;
    }
    return _URC_NORMAL_STOP;
}

void stampede_meet_return(bool (*may_leave)(uint64_t), bool (*is_end)(uint64_t), void (*leave)(uint64_t)) {
    if (met_return) return;
    met_return = looks_at_stack;
    met_may_leave = may_leave;
    met_is_end = is_end;
    met_leave = leave;
    _Unwind_Backtrace(look, 0);
    if (met_return == looks_at_stack) met_return = 0;
}

void stampede_forget_return(void) { met_return = 0; }

#else

void stampede_meet_return(bool (*may_leave)(uint64_t), bool (*is_end)(uint64_t), void (*leave)(uint64_t)) {}
void stampede_forget_return(void) {}

#endif
