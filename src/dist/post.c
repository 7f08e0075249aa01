// SPDX-License-Identifier: GPL-3.0-or-later
#include "dist/post.h"

#include "base/bytes.h"
#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>

void post_answer(const DistService *service, void *self, int worker, StrView work, Str *out) {
    ByteReader in = {work, false};
    Str answers = {0}, one = {0};
    const int64_t start_ns = clock_now_ns();
    const uint32_t count = bytes_u32(&in);
    for (uint32_t i = 0; i < count; i++) {
        const StrView piece = bytes_text(&in);
        // Rank 0 misses the rest.
        if (in.failed)
            break;
        str_clear(&one);
        const Status status = service->answer(self, worker, piece, &one);
        const StrView text = view_of(str_text(&one), one.length);
        bytes_add_u8(&answers, (uint8_t)status);
        bytes_add_text(&answers, status == OK ? text : view_from_string(error_message()));
    }
    bytes_add_u64(out, (uint64_t)(clock_now_ns() - start_ns));
    str_append(out, str_text(&answers), answers.length);
    str_free(&answers);
    str_free(&one);
}

static void *work_on(void *argument) {
    Post *post = argument;
    pthread_mutex_lock(&post->lock);
    while (post->state != POST_CLOSING) {
        if (post->state != POST_GIVEN) {
            pthread_cond_wait(&post->changed, &post->lock);
            continue;
        }
        // Nobody else touches the work and the answers in this state.
        pthread_mutex_unlock(&post->lock);
        post_answer(post->service, post->self, post->worker,
                    view_of(str_text(&post->work), post->work.length), &post->answers);
        pthread_mutex_lock(&post->lock);
        post->state = POST_DONE;
        pthread_cond_broadcast(&post->changed);
    }
    pthread_mutex_unlock(&post->lock);
    return NULL;
}

Post *posts_new(const DistService *service, void *self, int count) {
    Post *posts = mem_alloc_zero((size_t)count, sizeof *posts);
    for (int i = 0; i < count; i++) {
        Post *post = &posts[i];
        *post = (Post){.service = service, .self = self, .worker = i};
        pthread_mutex_init(&post->lock, NULL);
        pthread_cond_init(&post->changed, NULL);
        post->has_thread = pthread_create(&post->thread, NULL, work_on, post) == 0;
    }
    return posts;
}

void posts_settle(Post *posts, int count) {
    for (int i = 0; i < count; i++) {
        pthread_mutex_lock(&posts[i].lock);
        while (posts[i].state == POST_GIVEN)
            pthread_cond_wait(&posts[i].changed, &posts[i].lock);
        pthread_mutex_unlock(&posts[i].lock);
    }
}

void posts_free(Post *posts, int count) {
    for (int i = 0; i < count; i++) {
        pthread_mutex_lock(&posts[i].lock);
        posts[i].state = POST_CLOSING;
        pthread_cond_broadcast(&posts[i].changed);
        pthread_mutex_unlock(&posts[i].lock);
        if (posts[i].has_thread)
            pthread_join(posts[i].thread, NULL);
        pthread_cond_destroy(&posts[i].changed);
        pthread_mutex_destroy(&posts[i].lock);
        str_free(&posts[i].work);
        str_free(&posts[i].answers);
    }
    free(posts);
}

void post_give(Post *post, StrView work) {
    if (!post->has_thread) {
        post_answer(post->service, post->self, post->worker, work, &post->answers);
        post->state = POST_DONE;
        return;
    }
    pthread_mutex_lock(&post->lock);
    str_clear(&post->work);
    str_append(&post->work, work.text, work.length);
    post->state = POST_GIVEN;
    pthread_cond_broadcast(&post->changed);
    pthread_mutex_unlock(&post->lock);
}

bool post_take(Post *post, Str *out) {
    pthread_mutex_lock(&post->lock);
    const bool is_done = post->state == POST_DONE;
    if (is_done) {
        str_append(out, str_text(&post->answers), post->answers.length);
        str_clear(&post->answers);
        post->state = POST_IDLE;
    }
    pthread_mutex_unlock(&post->lock);
    return is_done;
}
