/* The machine of replica.h. Each event has a function; what several of them lead to stands above
 * them. At the end of every step a world that is not what the store has is read again, if nothing
 * is under way any more, and the next due time is told. */
#include "server/rooms/replica.h"

#include "engine/ensure.h"
#include <string.h>

enum {
    LATE_SPREAD_MS = 300,
    BEHIND_TRIES = 16,
    SAY_SIZE = 32768 /* no longer list of people is told to others */
};

static const char here_start[] = "here\n", heard_start[] = "heard\n", who_is_there[] = "who";
const char replica_rewritten[] = "rewritten";

/* One step. */
struct step {
    struct replica *replica;
    const struct replica_around *around;
    const struct replica_event *event;
    struct replica_effects *out;
    int64_t now_ms;
    bool due_is_known; /* since the world changed last */
    int64_t due_ms;    /* then: when something is due in the world */
};

/* ---- Effects ---- */

static struct replica_effect *want(struct step *step, enum replica_effect_kind kind) {
    struct replica_effects *out = step->out;
    struct replica_effect *effect = arena_take(&out->arena, sizeof *effect);
    effect->kind = kind;
    *out->end = effect;
    out->end = &effect->next;
    return effect;
}

/* A copy that also ends with a zero. */
static struct span keep(struct step *step, struct span text) {
    char *copy = arena_take(&step->out->arena, text.length + 1);
    if (text.length > 0)
        memcpy(copy, text.data, text.length);
    return (struct span){copy, text.length};
}

static void answer(struct step *step, enum replica_effect_kind kind, enum replica_code code,
                   struct span text) {
    struct replica_effect *effect = want(step, kind);
    effect->code = code;
    effect->text = keep(step, text);
}

static struct replica_effect *note(struct step *step, enum replica_note what, int64_t number,
                                   struct span text) {
    struct replica_effect *effect = want(step, REPLICA_NOTE);
    effect->note = what;
    effect->number = number;
    effect->text = keep(step, text);
    return effect;
}

static void hear(struct step *step) {
    struct replica_effects *out = step->out;
    events_begin(&out->events, out->event_data, sizeof out->event_data);
    out->news.events = &out->events;
}

void replica_effects_free(struct replica_effects *effects) {
    arena_free(&effects->arena);
}

/* ---- What is known of the log's end ---- */

static bool is_reading(const struct replica *replica) {
    return replica->tail >= REPLICA_TAIL_ASKED;
}

static void miss(struct replica *replica) {
    replica->tail = is_reading(replica) ? REPLICA_TAIL_MOVED : REPLICA_TAIL_MISSED;
}

static void end_reading(struct replica *replica) {
    replica->tail = replica->tail == REPLICA_TAIL_MOVED ? REPLICA_TAIL_MISSED : REPLICA_TAIL_KNOWN;
}

static void read_on(struct step *step) {
    step->replica->asked_kept = step->replica->kept;
    want(step, REPLICA_LOAD)->number = step->replica->world.version;
}

/* Reads what others have appended, once nothing of this server's own is on its way. */
static void catch_up(struct step *step) {
    struct replica *replica = step->replica;
    if (replica->tail != REPLICA_TAIL_MISSED || replica->state != REPLICA_READY ||
        replica->unwritten > 0)
        return;
    replica->tail = REPLICA_TAIL_ASKED;
    read_on(step);
}

/* ---- Reading anew ---- */

static void load(struct step *step) {
    struct replica *replica = step->replica;
    struct world_times times = replica->world.times;
    replica->state = REPLICA_LOADING;
    replica->tail = REPLICA_TAIL_ASKED;
    replica->chain = STORE_CHAIN_START;
    replica->lists_hash = 0; /* who knows what the store's lists say */
    world_empty(&replica->world, &times);
    read_on(step);
}

/* People are not told line by line, but shown the world as it is once all was read. */
static void present_later(struct replica *replica) {
    replica->kept = 0;
    replica->presents = true;
}

static bool is_doomed(const struct replica *replica) {
    return replica->state == REPLICA_BEATEN || replica->state == REPLICA_FAILED;
}

/* The world in memory is not what the store has: once nothing is under way, it is read again. */
static void doom(struct step *step, bool beaten, struct span why) {
    struct replica *replica = step->replica;
    struct replica_effect *effect = note(step, REPLICA_NOTE_UNWRITTEN, 0, why);
    effect->there = !is_doomed(replica);
    effect->code = beaten ? REPLICA_BEHIND : REPLICA_UNDONE;
    replica->state = beaten && replica->state != REPLICA_FAILED ? REPLICA_BEATEN : REPLICA_FAILED;
}

static void settle(struct step *step) {
    struct replica *replica = step->replica;
    if (replica->rewritten && replica->state == REPLICA_READY && !replica_is_busy(replica)) {
        replica->rewritten = false;
        present_later(replica);
        load(step);
    }
    if (!is_doomed(replica) || replica_is_busy(replica))
        return;
    bool beaten = replica->state == REPLICA_BEATEN;
    if (!beaten)
        replica->pause_ms = step->now_ms + REPLICA_RETRY_MS;
    note(step, REPLICA_NOTE_REREAD, 0, (struct span){0})->code =
        beaten ? REPLICA_BEHIND : REPLICA_UNDONE;
    load(step);
}

bool replica_is_busy(const struct replica *replica) {
    return replica->unwritten > 0 || replica->bot == REPLICA_BOT_THINKS || is_reading(replica);
}

/* ---- Who is there ---- */

static bool is_here(const struct step *step, const char *id) {
    for (int i = 0; i < step->around->here_count; i++)
        if (strcmp(step->around->here[i].id, id) == 0)
            return true;
    return false;
}

static bool has_strangers(const struct step *step) {
    for (int i = 0; i < step->around->here_count; i++)
        if (!world_find_member(&step->replica->world, span_of(step->around->here[i].id)))
            return true;
    return false;
}

/* People who are no longer members hear nothing more. */
static void expel_strangers(struct step *step) {
    for (int i = 0; i < step->around->here_count; i++) {
        struct span id = span_of(step->around->here[i].id);
        if (!world_find_member(&step->replica->world, id))
            want(step, REPLICA_EXPEL)->id = keep(step, id);
    }
}

/* Restores who is here or at other servers, for a world that was read or whose members have
 * changed: somebody may have come before this server heard that the person is a member. */
static void restore_presence(struct step *step) {
    struct replica *replica = step->replica;
    for (int i = 0; i < step->around->here_count; i++)
        world_connected(&replica->world, step->now_ms, span_of(step->around->here[i].id), true);
    for (int i = 0; i < replica->others.count; i++)
        world_connected(&replica->world, step->now_ms, span_of(replica->others.items[i].id), true);
}

static void say(struct step *step, struct span text) {
    want(step, REPLICA_SAY)->text = text;
}

/* Tells the others the whole list of those who listen here. */
static void say_who_is_here(struct step *step) {
    const struct replica_around *around = step->around;
    size_t size = sizeof here_start;
    if (!step->replica->shared)
        return;
    for (int i = 0; i < around->here_count; i++)
        size += strlen(around->here[i].id) + strlen(around->here[i].info) + 2;
    step->replica->announced_ms = step->now_ms;
    if (size > SAY_SIZE)
        return;
    struct text text = text_in(arena_take(&step->out->arena, size), size);
    text_string(&text, here_start);
    for (int i = 0; i < around->here_count; i++) {
        text_string(&text, around->here[i].id);
        text_char(&text, ' ');
        text_string(&text, around->here[i].info);
        text_char(&text, '\n');
    }
    say(step, (struct span){text.data, text.length});
}

static void say_who_was_heard(struct step *step) {
    enum { SIZE = WORLD_MEMBERS_MAX * (WORLD_ID_MAX + 1) + sizeof heard_start };
    struct replica *replica = step->replica;
    struct text text = text_in(arena_take(&step->out->arena, SIZE), SIZE);
    text_string(&text, heard_start);
    for (int i = 0; i < replica->heard_count; i++) {
        text_string(&text, replica->heard[i]);
        text_char(&text, '\n');
    }
    replica->heard_count = 0;
    say(step, (struct span){text.data, text.length});
}

/* Somebody who is not here came to another server or left it. */
static void on_other(void *arg, const char *id, const char *info, bool there) {
    struct step *step = arg;
    if (is_here(step, id))
        return;
    if (step->replica->state == REPLICA_READY)
        world_connected(&step->replica->world, step->now_ms, span_of(id), there);
    struct replica_effect *effect = want(step, REPLICA_ELSEWHERE);
    effect->id = keep(step, span_of(id));
    effect->text = keep(step, span_of(info));
    effect->there = there;
}

static void take_heard(struct step *step, struct span list) {
    while (list.length > 0)
        world_heard_of(&step->replica->world, step->now_ms, span_take_until(&list, '\n'));
}

/* Other servers must know it, too, or they would count the person as gone. */
static void remember_heard(struct replica *replica, struct span id) {
    if (!replica->shared || !world_find_member(&replica->world, id))
        return;
    for (int i = 0; i < replica->heard_count; i++)
        if (span_is(id, replica->heard[i]))
            return;
    if (replica->heard_count < WORLD_MEMBERS_MAX && id.length <= WORLD_ID_MAX) {
        char *kept = replica->heard[replica->heard_count++];
        memcpy(kept, id.data, id.length);
        kept[id.length] = '\0';
    }
}

/* ---- When something is due ---- */

static int64_t due_of(struct step *step) {
    if (!step->due_is_known)
        step->due_ms = world_due(&step->replica->world);
    step->due_is_known = true;
    return step->due_ms;
}

/* When this server is to see to it: whoever wrote last comes first. */
static int64_t own_due(struct step *step) {
    const struct replica *replica = step->replica;
    int64_t due = due_of(step);
    if (replica->mine || due == INT64_MAX)
        return due;
    return due + REPLICA_LATE_MS + replica->spread % LATE_SPREAD_MS;
}

/* ---- Writing ---- */

/* The world has changed in memory: these lines are to be kept, and told once they are durable. */
static void append(struct step *step, const struct span *lines, size_t count, bool birth) {
    struct replica *replica = step->replica;
    uint64_t hash = summary_of(&replica->world, &step->out->listed);
    struct replica_effect *effect = want(step, REPLICA_APPEND);
    effect->number = replica->world.version - (int64_t)count;
    effect->chain = replica->chain;
    effect->lines = lines;
    effect->line_count = count;
    effect->asker = step->event->asker;
    for (size_t i = 0; i < count; i++)
        replica->chain = store_chain(replica->chain, lines[i]);
    effect->entry = (struct replica_entry){
        .chain = replica->chain, .lists = hash != replica->lists_hash, .birth = birth};
    if (hash != replica->lists_hash)
        restore_presence(step);
    replica->lists_hash = hash;
    replica->unwritten++;
    step->due_is_known = false;
    effect->due_ms = due_of(step);
}

static void append_news(struct step *step) {
    struct replica_effects *out = step->out;
    struct span *line = arena_take(&out->arena, sizeof *line);
    *line = (struct span){out->news.line, out->news.line_length};
    append(step, line, 1, false);
}

static enum replica_code code_of_failure(const struct step *step) {
    const struct replica_event *event = step->event;
    if (event->outcome == STORE_CONFLICT)
        return event->entry->birth     ? REPLICA_TAKEN
               : step->replica->shared ? REPLICA_BEHIND
                                       : REPLICA_UNDONE;
    bool open = event->outcome == STORE_OK || event->outcome == STORE_UNKNOWN;
    return open ? REPLICA_UNSURE : REPLICA_UNDONE;
}

static void on_appended(struct step *step) {
    struct replica *replica = step->replica;
    const struct replica_event *event = step->event;
    enum replica_code code = REPLICA_DONE;
    replica->unwritten--;
    if (event->outcome == STORE_OK && replica->state == REPLICA_READY) {
        replica->pause_ms = 0;
        replica->mine = true;
        replica->kept = event->version;
        replica->kept_chain = event->entry->chain;
        want(step, REPLICA_PUSH)->asker = event->asker;
        if (event->entry->lists)
            expel_strangers(step);
    } else { /* or what it follows is not known, nor what it led to */
        code = code_of_failure(step);
        if (event->outcome == STORE_CONFLICT)
            doom(step, code == REPLICA_BEHIND, span_of("the store has another version"));
        else if (event->outcome != STORE_OK)
            doom(step, false, event->text);
        replica->mine = !replica->shared;
    }
    struct replica_effect *effect = want(step, REPLICA_ANSWER);
    effect->asker = event->asker;
    effect->code = code;
    catch_up(step);
}

static void on_born(struct step *step) {
    step->replica->state = REPLICA_READY;
    append(step, step->event->lines, step->event->line_count, true);
}

static void on_acted(struct step *step) {
    struct replica *replica = step->replica;
    const struct replica_event *event = step->event;
    *event->answer = WORLD_REFUSED;
    if (replica->state != REPLICA_READY || step->around->store_full) {
        refuse(event->why, "UNAVAILABLE", "The store %s; nothing was done",
               step->around->store_full ? "is too far behind" : "does not answer");
        return;
    }
    hear(step);
    replica->used_ms = step->now_ms;
    *event->answer =
        world_act(&replica->world, step->now_ms, event->action, &step->out->news, event->why);
    if (*event->answer != WORLD_DONE)
        return;
    append_news(step);
    want(step, REPLICA_MORE);
}

/* ---- Reading ---- */

/* The clock of whoever wrote this was ahead, or this machine's own was and has been set back. What
 * is due by that time would have to wait for the difference, so the clock is moved forward. */
static void keep_up(struct step *step) {
    int64_t ahead_ms = step->replica->world.changed_ms - step->now_ms;
    if (ahead_ms <= 0)
        return;
    want(step, REPLICA_CLOCK)->number = ahead_ms;
    step->now_ms += ahead_ms;
}

/* Folds a line that another server appended. People here are told, but not those who left by it. */
static bool hear_line(struct step *step, struct span line, struct refusal *why) {
    struct replica *replica = step->replica;
    hear(step);
    if (!world_hear(&replica->world, line, &step->out->events, why))
        return false;
    keep_up(step);
    replica->chain = store_chain(replica->chain, line);
    replica->kept = replica->world.version;
    replica->kept_chain = replica->chain;
    want(step, REPLICA_PUSH);
    expel_strangers(step);
    return true;
}

/* After a line of other servers, they see to what is due next. */
static void take_note(struct step *step) {
    struct replica *replica = step->replica;
    uint64_t hash = summary_of(&replica->world, &step->out->listed);
    if (hash != replica->lists_hash)
        restore_presence(step);
    replica->lists_hash = hash;
    replica->mine = false;
}

/* Folds a line of the log; what nobody here was told of yet is told now. */
static bool fold_line(struct step *step, struct refusal *why) {
    struct replica *replica = step->replica;
    const struct replica_event *event = step->event;
    if (replica->kept > 0 && event->version > replica->kept) {
        if (!has_strangers(step))
            return hear_line(step, event->line, why);
        present_later(replica); /* to those who are members by then */
    }
    replica->chain = store_chain(replica->chain, event->line);
    if (event->version == replica->kept && replica->chain != replica->kept_chain) {
        replica->went_back_from = replica->kept;
        present_later(replica);
    }
    return world_fold(&replica->world, event->line, why);
}

static void forget(struct step *step, enum replica_code code, struct span text) {
    step->replica->state = REPLICA_GONE;
    answer(step, REPLICA_FORGET, code, text);
}

static void on_unreadable(struct step *step, int64_t version, const struct refusal *why) {
    end_reading(step->replica);
    if (version == 1 && !world_knows_rules(step->event->line)) {
        forget(step, REPLICA_OTHER_RULES, span_of(why->text));
        return;
    }
    note(step, REPLICA_NOTE_BROKEN, version, span_of(why->text));
    forget(step, REPLICA_UNREADABLE, (struct span){0});
}

static void on_untaken(struct step *step) {
    struct replica *replica = step->replica;
    replica->unwritten--;
    if (replica->kept == 0) /* it was to be a new world */
        forget(step, REPLICA_UNDONE, (struct span){0});
    else
        doom(step, false, span_of("the store is too far behind"));
}

/* Does a line of the tail follow? While entries are on their way these lines will be a conflict, or
 * are among them. */
static bool follows(const struct replica *replica, int64_t version) {
    return replica->unwritten == 0 && replica->world.version == replica->kept &&
           version == replica->world.version + 1;
}

/* Do the lines of this page lead to the log that the store has? */
static bool leads_there(const struct step *step) {
    uint64_t chain = step->replica->chain;
    for (size_t i = 0; i < step->event->line_count; i++)
        chain = store_chain(chain, step->event->lines[i]);
    return step->event->chain == 0 || chain == step->event->chain;
}

/* Checks before anybody is told of a line: the log may have lost its end and gone on differently
 * since the lines before it were read. Only the last page can tell. */
static void on_read(struct step *step) {
    const struct replica_event *event = step->event;
    struct replica *replica = step->replica;
    int64_t last = replica->world.version + (int64_t)event->line_count;
    replica->page_follows = false;
    if (event->outcome != STORE_OK || event->line_count == 0)
        return;
    if (replica->state == REPLICA_LOADING) {
        if (event->more && replica->kept > 0 && last > replica->kept)
            present_later(replica);
        if (!event->more && replica->world.version > 0 && !leads_there(step))
            doom(step, true, span_of("the log changed while it was read"));
    } else if (replica->state == REPLICA_READY && follows(replica, event->version)) {
        replica->page_follows = !event->more && leads_there(step);
        if (!replica->page_follows)
            doom(step, true, span_of("the store has another log"));
    }
}

static void on_line(struct step *step) {
    struct replica *replica = step->replica;
    const struct replica_event *event = step->event;
    struct refusal why;
    if (replica->state == REPLICA_LOADING) {
        if (!fold_line(step, &why))
            on_unreadable(step, event->version, &why);
    } else if (replica->state == REPLICA_READY) {
        if (!replica->page_follows || !follows(replica, event->version)) {
            miss(replica);
        } else if (hear_line(step, event->line, &why)) {
            take_note(step);
        } else {
            note(step, REPLICA_NOTE_BROKEN, event->version, span_of(why.text));
            doom(step, true, span_of("the store has another log"));
        }
    }
}

/* People may know things that are lost, so they are shown the world as it is. */
static void present(struct step *step) {
    struct replica *replica = step->replica;
    if (replica->went_back_from > 0)
        note(step, REPLICA_NOTE_WENT_BACK, replica->went_back_from, (struct span){0});
    replica->went_back_from = 0;
    replica->presents = false;
    hear(step);
    world_present(&replica->world, &step->out->events);
    want(step, REPLICA_PUSH)->there = true;
}

static void end_loading(struct step *step) {
    struct replica *replica = step->replica;
    if (replica->world.status == WORLD_CLOSED) {
        expel_strangers(step); /* all, since a world closes when everybody has left it */
        forget(step, REPLICA_MISSING, (struct span){0});
        return;
    }
    replica->state = REPLICA_READY;
    note(step, REPLICA_NOTE_LOADED, 0, (struct span){0});
    keep_up(step);
    if (replica->kept > replica->world.version)
        replica->went_back_from = replica->kept;
    replica->kept = replica->world.version;
    replica->kept_chain = replica->chain;
    world_resume(&replica->world, step->now_ms);
    restore_presence(step);
    expel_strangers(step);
    if (replica->went_back_from > 0 || replica->presents)
        present(step);
    catch_up(step);
    answer(step, REPLICA_FOUND, REPLICA_DONE, (struct span){0});
    want(step, REPLICA_MORE);
}

/* If people listen, the next beat tries again. */
static void fail_loading(struct step *step) {
    struct replica *replica = step->replica;
    bool missing = step->event->outcome == STORE_MISSING;
    if (!missing && replica->shared && step->around->here_count > 0) {
        replica->state = REPLICA_STRANDED;
        answer(step, REPLICA_FOUND, REPLICA_UNREAD, step->event->text);
        return;
    }
    if (missing && replica->kept > 0)
        note(step, REPLICA_NOTE_WENT_BACK, replica->kept, (struct span){0});
    forget(step, missing ? REPLICA_MISSING : REPLICA_UNREAD, step->event->text);
}

static void on_loaded(struct step *step) {
    const struct replica_event *event = step->event;
    struct replica *replica = step->replica;
    if (event->outcome == STORE_OK && event->more && event->line_count > 0) {
        read_on(step);
        return;
    }
    if (event->outcome == STORE_OK && (event->more || replica->world.version == 0)) {
        struct refusal why; /* asking again will not help */
        refuse(&why, "BROKEN", "the store has lost this entry");
        on_unreadable(step, replica->world.version + 1, &why);
        return;
    }
    end_reading(replica);
    if (event->outcome == STORE_OK)
        end_loading(step);
    else
        fail_loading(step);
}

/* Has the store less than people here know, or the same version with other lines? Entries that are
 * on their way would make a difference, too. */
static bool is_another_log(const struct replica *replica, const struct replica_event *event) {
    return event->version < replica->asked_kept ||
           (replica->unwritten == 0 && replica->world.version == event->version &&
            event->chain != 0 && event->chain != replica->chain);
}

static void on_tail(struct step *step) {
    const struct replica_event *event = step->event;
    struct replica *replica = step->replica;
    bool failed = event->outcome != STORE_OK && event->outcome != STORE_MISSING;
    end_reading(replica);
    if (replica->state != REPLICA_READY)
        return; /* all is read again in a moment */
    if (failed) {
        miss(replica); /* the next beat tries again */
        answer(step, REPLICA_REFRESHED, REPLICA_UNREAD, event->text);
        want(step, REPLICA_MORE);
        return;
    }
    if (event->more)
        miss(replica);
    if (replica->tail == REPLICA_TAIL_KNOWN && is_another_log(replica, event)) {
        doom(step, true, span_of("the store has another log"));
        return;
    }
    if (replica->tail == REPLICA_TAIL_KNOWN)
        answer(step, REPLICA_REFRESHED, REPLICA_DONE, (struct span){0});
    catch_up(step);
    want(step, REPLICA_MORE);
}

static void on_page(struct step *step) {
    if (step->replica->state == REPLICA_LOADING)
        on_loaded(step);
    else
        on_tail(step);
}

/* ---- Other servers ---- */

static void on_heard(struct step *step) {
    struct replica *replica = step->replica;
    const struct replica_event *event = step->event;
    struct refusal why;
    if (event->version < replica->kept)
        return;
    bool fits = replica->state == REPLICA_READY && replica->unwritten == 0 &&
                !is_reading(replica) && event->version == replica->world.version;
    if (!fits) {
        miss(replica);
        catch_up(step);
        return;
    }
    replica->tail = REPLICA_TAIL_KNOWN;
    if (event->chain != 0 && event->chain != replica->chain)
        doom(step, true, span_of("the store has another log"));
    else if (hear_line(step, event->line, &why))
        take_note(step);
    else
        doom(step, true, span_of(why.text));
    want(step, REPLICA_MORE);
}

static void on_watching(struct step *step) {
    miss(step->replica);
    say(step, span_of(who_is_there));
    say_who_is_here(step);
    catch_up(step);
}

static void on_said(struct step *step) {
    struct replica *replica = step->replica;
    struct span text = step->event->text;
    if (span_take(&text, here_start))
        remote_presence_take(&replica->others, step->event->node, text, step->now_ms, on_other,
                             step);
    else if (span_take(&text, heard_start) && replica->state == REPLICA_READY)
        take_heard(step, text);
    else if (span_is(text, who_is_there))
        say_who_is_here(step);
    else if (span_is(text, replica_rewritten))
        replica->rewritten = true;
    want(step, REPLICA_MORE);
}

/* Repeats to others what they should hear again, and forgets what they did not repeat. */
static void keep_in_touch(struct step *step) {
    struct replica *replica = step->replica;
    int64_t now_ms = step->now_ms;
    bool heard = step->around->here_count > 0;
    remote_presence_expire(&replica->others, now_ms - REPLICA_GONE_MS, on_other, step);
    if (now_ms - replica->announced_ms < REPLICA_HERE_MS)
        return;
    if (heard)
        say_who_is_here(step);
    if (heard || now_ms - replica->used_ms < 2 * REPLICA_HERE_MS)
        miss(replica); /* does the store have more, or less, than people here know? */
    if (replica->heard_count > 0)
        say_who_was_heard(step);
    replica->announced_ms = now_ms;
}

static void on_beat(struct step *step) {
    if (step->replica->state == REPLICA_STRANDED) {
        load(step);
        return;
    }
    keep_in_touch(step);
    catch_up(step);
}

static void on_refresh(struct step *step) {
    miss(step->replica);
    catch_up(step);
}

/* ---- What happens by itself ---- */

/* While the store takes no more, nothing happens by itself: what it refused would have to be undone
 * by reading the world again, which would ask even more of it. The same holds while memory is
 * short. */
static bool must_wait(struct step *step) {
    if (!step->around->store_full && !step->around->memory_short)
        return false;
    step->replica->pause_ms = step->now_ms + REPLICA_RETRY_MS;
    return true;
}

static bool may_go_on(struct step *step) {
    const struct replica *replica = step->replica;
    return replica->state == REPLICA_READY && step->now_ms >= replica->pause_ms &&
           (replica->mine || step->now_ms >= own_due(step)) &&
           replica->unwritten < REPLICA_UNWRITTEN_MAX;
}

static void on_tick(struct step *step) {
    struct replica *replica = step->replica;
    if (!may_go_on(step) || must_wait(step))
        return;
    hear(step);
    if (world_tick(&replica->world, step->now_ms, &step->out->news) == WORLD_DONE) {
        append_news(step);
        want(step, REPLICA_MORE);
    } else if (replica->bot == REPLICA_BOT_IDLE && due_of(step) <= step->now_ms) {
        replica->bot = REPLICA_BOT_DUE;
        want(step, REPLICA_THINK);
    }
}

static void on_thread(struct step *step) {
    struct replica *replica = step->replica;
    ensure(replica->bot == REPLICA_BOT_DUE);
    bool thinks = may_go_on(step) && world_think(&replica->world, step->now_ms, step->event->task);
    *step->event->answer = thinks ? WORLD_DONE : WORLD_NOTHING;
    replica->bot = thinks ? REPLICA_BOT_THINKS : REPLICA_BOT_IDLE;
    if (!thinks)
        want(step, REPLICA_MORE);
}

static void on_thought(struct step *step) {
    struct replica *replica = step->replica;
    const struct replica_event *event = step->event;
    replica->bot = REPLICA_BOT_IDLE;
    *event->answer = WORLD_NOTHING;
    if (replica->state != REPLICA_READY || must_wait(step))
        return; /* it will think again */
    hear(step);
    *event->answer = world_thought(&replica->world, step->now_ms, event->task, &step->out->news);
    if (*event->answer == WORLD_DONE)
        append_news(step);
    want(step, REPLICA_MORE);
}

static void on_claimed(struct step *step) {
    step->replica->mine = true;
    want(step, REPLICA_MORE);
}

static void on_presence(struct step *step) {
    struct replica *replica = step->replica;
    const struct replica_event *event = step->event;
    char id[LISTENER_ID_MAX + 1] = "";
    if (replica->state != REPLICA_READY)
        return;
    ensure(event->id.length <= LISTENER_ID_MAX);
    memcpy(id, event->id.data, event->id.length);
    replica->used_ms = step->now_ms;
    world_connected(&replica->world, step->now_ms, event->id,
                    event->there || remote_presence_have(&replica->others, id));
    say_who_is_here(step);
    want(step, REPLICA_MORE);
}

static void on_heard_of(struct step *step) {
    world_heard_of(&step->replica->world, step->now_ms, step->event->id);
    remember_heard(step->replica, step->event->id);
}

/* Bots that think and a store that is behind report by themselves, so nobody looks before. */
static void tell_due(struct step *step) {
    struct replica *replica = step->replica;
    bool waits = replica->state != REPLICA_READY || replica->bot != REPLICA_BOT_IDLE ||
                 replica->unwritten >= REPLICA_UNWRITTEN_MAX;
    int64_t due = waits ? INT64_MAX : own_due(step);
    if (due < replica->pause_ms)
        due = replica->pause_ms;
    if (due == replica->due_ms)
        return;
    replica->due_ms = due;
    want(step, REPLICA_WAKE);
}

/* ---- The machine ---- */

void replica_begin(struct replica *replica, const struct world_times *times, bool shared,
                   uint32_t spread) {
    *replica = (struct replica){.shared = shared,
                                .mine = !shared,
                                .spread = spread,
                                .chain = STORE_CHAIN_START,
                                .due_ms = INT64_MAX};
    world_empty(&replica->world, times);
}

void replica_end(struct replica *replica) {
    remote_presence_free(&replica->others);
}

void replica_step(struct replica *replica, const struct replica_around *around,
                  const struct replica_event *event, struct replica_effects *out) {
    static void (*const run[])(struct step *) = {[REPLICA_OPEN] = load,
                                                 [REPLICA_BORN] = on_born,
                                                 [REPLICA_ACTED] = on_acted,
                                                 [REPLICA_UNTAKEN] = on_untaken,
                                                 [REPLICA_APPENDED] = on_appended,
                                                 [REPLICA_READ] = on_read,
                                                 [REPLICA_LINE] = on_line,
                                                 [REPLICA_PAGE] = on_page,
                                                 [REPLICA_HEARD] = on_heard,
                                                 [REPLICA_WATCHING] = on_watching,
                                                 [REPLICA_SAID] = on_said,
                                                 [REPLICA_REFRESH] = on_refresh,
                                                 [REPLICA_PRESENCE] = on_presence,
                                                 [REPLICA_HEARD_OF] = on_heard_of,
                                                 [REPLICA_CLAIMED] = on_claimed,
                                                 [REPLICA_THREAD] = on_thread,
                                                 [REPLICA_THOUGHT] = on_thought,
                                                 [REPLICA_TICK] = on_tick,
                                                 [REPLICA_BEAT] = on_beat};
    struct step step = {
        .replica = replica, .around = around, .event = event, .out = out, .now_ms = around->now_ms};
    arena_reset(&out->arena);
    out->first = NULL;
    out->end = &out->first;
    out->events.count = 0;
    run[event->kind](&step);
    settle(&step);
    tell_due(&step);
}

bool replica_may_hear(const struct replica *replica, struct span id) {
    return replica->state == REPLICA_LOADING || world_find_member(&replica->world, id);
}

/* ---- Those who ask ---- */

enum replica_verdict replica_judge(struct replica_tries *tries, bool shared, enum replica_code code,
                                   bool by_rules) {
    if (!shared)
        return REPLICA_IS_FINAL;
    if (code == REPLICA_BEHIND)
        return tries->behind++ < BEHIND_TRIES ? REPLICA_TRY_AGAIN : REPLICA_IS_FINAL;
    if (!by_rules || tries->refreshed)
        return REPLICA_IS_FINAL;
    tries->refreshed = true;
    return REPLICA_TRY_REFRESHED;
}
