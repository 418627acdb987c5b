// Requests that the scenario sends on to servers of the real world: libcurl's own functions make them.

#define _GNU_SOURCE
#include "Transfers.h"
#include "http.h"
#include "next.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    option_time_limit = 155,
    option_no_signals = 99,
    option_accept_encoding = 10102,
    option_body_size = 30120,
    everything = 3,
};

// The library's. A program that makes requests has loaded it, and `stampede_web_load` does.
extern int curl_global_init(long what);
extern void *curl_easy_init(void);
extern int curl_easy_setopt(void *handle, int option, ...);
extern int curl_easy_perform(void *handle);
extern int curl_easy_getinfo(void *handle, int info, ...);
extern void curl_easy_cleanup(void *handle);
extern void *curl_slist_append(void *list, const char *line);
extern void curl_slist_free_all(void *list);

typedef struct {
    char *bytes;
    size_t count;
} text;

static size_t append(char *bytes, size_t size, size_t count, void *candidate) {
    text *all = candidate;
    count *= size;
    all->bytes = realloc(all->bytes, all->count + count + 1);
    memcpy(all->bytes + all->count, bytes, count);
    all->count += count;
    all->bytes[all->count] = 0;
    return count;
}

/// Each answer that is passed on to another begins anew.
static size_t append_header(char *bytes, size_t size, size_t count, void *candidate) {
    text *all = candidate;
    if (size * count > 5 && strncmp(bytes, "HTTP/", 5) == 0) {
        all->count = 0;
        return size * count;
    }
    return append(bytes, size, count, candidate);
}

static void initialise(void) { NEXT(curl_global_init)(everything); }

bool stampede_web_load(void) {
    // For the whole program: `NEXT` finds its functions then. It stays.
    return NEXT(curl_easy_init) || dlopen("libcurl.so.4", RTLD_NOW | RTLD_GLOBAL);
}

stampede_web_answer stampede_web_ask(
    const char *method, const char *url, const char *headers, const void *body, size_t count, long milliseconds
) {
    stampede_web_answer answer = {.failure = result_does_not_connect};
    if (!NEXT(curl_easy_init)) return answer;
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, initialise);
    void *handle = NEXT(curl_easy_init)();
    __typeof__(&curl_easy_setopt) set = NEXT(curl_easy_setopt);
    void *lines = NULL;
    char *copy = strdup(headers), *rest = copy;
    for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
        if (line[0]) lines = NEXT(curl_slist_append)(lines, line);
    }
    text head = {0}, content = {0};
    set(handle, option_url, url);
    set(handle, option_custom_request, method);
    set(handle, option_no_body, (long)(strcmp(method, "HEAD") == 0));
    if (count > 0) {
        set(handle, option_body_size, (int64_t)count);
        set(handle, option_post_fields, body);
    }
    set(handle, option_header_lines, lines);
    set(handle, option_accept_encoding, "");
    set(handle, option_time_limit, milliseconds);
    set(handle, option_no_signals, 1L);
    set(handle, option_write_function, append);
    set(handle, option_write_data, &content);
    set(handle, option_header_function, append_header);
    set(handle, option_header_data, &head);
    answer.failure = NEXT(curl_easy_perform)(handle);
    long status = 0;
    NEXT(curl_easy_getinfo)(handle, info_response_code, &status);
    answer.status = (int)status;
    answer.headers = head.bytes ? head.bytes : strdup("");
    answer.body = content.bytes;
    answer.count = content.count;
    NEXT(curl_slist_free_all)(lines);
    NEXT(curl_easy_cleanup)(handle);
    free(copy);
    return answer;
}

void stampede_web_answer_free(stampede_web_answer *answer) {
    free(answer->headers);
    free(answer->body);
}
