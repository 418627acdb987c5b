// What client code can reach that no device has is told: here the machine's own network.

#define _GNU_SOURCE
#include "model.h"
#include "next.h"

#include <arpa/inet.h>
#include <errno.h>
#include <execinfo.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

bool stampede_uses_outside(stampede_outside kind, const char *name) {
    stampede_app *app = stampede_top ? stampede_top->app : stampede_thread_app;
    if (!app || !app->process || app->has_ended || (stampede_top && stampede_top->is_reading)) return false;
    if (!stampede_the_host.uses_outside) return false;
    stampede_the_host.uses_outside(app->process, kind, name);
    return true;
}

bool stampede_is_thread_of_client(void) { return stampede_thread_app != NULL; }

void stampede_thread_leave(void) { stampede_thread_app = NULL; }

int stampede_calls(void **calls, int most) { return backtrace(calls, most); }

#ifndef STAMPEDE_STANDS_ASIDE

static void tell_of_connection(const struct sockaddr *address) {
    char host[INET6_ADDRSTRLEN] = "", name[INET6_ADDRSTRLEN + 8];
    in_port_t port;
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *four = (const struct sockaddr_in *)address;
        inet_ntop(AF_INET, &four->sin_addr, host, sizeof host);
        port = four->sin_port;
    } else if (address->sa_family == AF_INET6) {
        const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
        inet_ntop(AF_INET6, &six->sin6_addr, host, sizeof host);
        port = six->sin6_port;
    } else {
        // Within the machine: who looks a name up asks there too.
        return;
    }
    snprintf(name, sizeof name, "%s:%d", host, ntohs(port));
    stampede_uses_outside(stampede_outside_connection, name);
}

int connect(int socket, const struct sockaddr *address, socklen_t length) {
    if (address && (stampede_top || stampede_thread_app)) tell_of_connection(address);
    return (int)syscall(SYS_connect, socket, address, length);
}

#endif
