/** Local CloudWatch Logs: stored log groups. */

import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface LogEvent {
  /** Increases with every event of a group. */
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly message: string;
}

/** Log groups, each in a file of its own. Events are kept for a week, and up to a number. */
export interface LogStore {
  /** Queues an event and returns at once. It is written a moment later, or when the disk has space again. */
  write(group: string, timestamp: number, message: string): void;
  /** The events of a group in the order of time, including those just queued. */
  read(group: string): readonly LogEvent[];
  /** Writes the queued events, and closes the store. */
  stop(): void;
}

const keptMs = 7 * 24 * 3_600_000;
const flushMs = 250;
/** Milliseconds for which a parsed file is cached, because readers call several times in succession. */
const rememberedMs = 10_000;

interface Group {
  readonly file: string;
  nextId: number;
  /** Number of lines in the file, including expired ones. */
  lines: number;
  waiting: string[];
  /** Whether a failure to write has been logged; false again after a successful write. */
  failing: boolean;
  remembered?: { readonly events: LogEvent[]; readonly until: number };
}

/**
 * Opens the log groups of a state folder. An incomplete line of a process that died is skipped, and later lines are read.
 *
 * @param limit events kept for a group; a file may grow to twice as many lines before the oldest are removed.
 * @param complain logs that a file can't be written: a full disk loses log lines, but fails no calls.
 */
export function openLogStore(
  directory: string,
  now: () => number,
  limit = 10_000,
  complain: (line: string) => void = () => {},
): LogStore {
  const groups = new Map<string, Group>();

  function groupOf(name: string): Group {
    const known = groups.get(name);
    if (known !== undefined) return known;
    const file = join(directory, `${encodeURIComponent(name)}.jsonl`);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const events = parse(text);
    // Ends an incomplete last line, so that the next line is separate from it.
    const torn = text !== '' && !text.endsWith('\n');
    const group: Group = {
      file,
      nextId: events.reduce((highest, { id }) => Math.max(highest, id), 0) + 1,
      lines: text.split('\n').length - 1,
      waiting: torn ? ['\n'] : [],
      failing: false,
    };
    groups.set(name, group);
    return group;
  }

  function flush(group: Group): void {
    if (group.waiting.length === 0) return;
    try {
      mkdirSync(directory, { recursive: true });
      appendFileSync(group.file, group.waiting.join(''));
      group.lines += group.waiting.length;
      group.waiting = [];
      if (group.lines > 2 * limit) compact(group);
      group.failing = false;
    } catch (error) {
      if (!group.failing) complain(`${group.file} can't be written: ${(error as Error).message}`);
      group.failing = true;
      // A line may have been written in part, so that the next write begins on a new line.
      group.waiting = ['\n', ...group.waiting.filter((line) => line !== '\n').slice(-limit)];
    }
  }

  /** Keeps the newest lines unparsed, because calls wait meanwhile. */
  function compact(group: Group): void {
    const lines = readFileSync(group.file, 'utf8')
      .split('\n')
      .slice(-limit - 1);
    writeFileSync(`${group.file}.new`, lines.join('\n'));
    renameSync(`${group.file}.new`, group.file);
    group.lines = lines.length - 1;
  }

  function keep(events: readonly LogEvent[]): readonly LogEvent[] {
    const oldest = now() - keptMs;
    return events.filter(({ timestamp }) => timestamp >= oldest).slice(-limit);
  }

  function eventsOf(group: Group): readonly LogEvent[] {
    if (group.remembered !== undefined) return group.remembered.events;
    const text = existsSync(group.file) ? readFileSync(group.file, 'utf8') : '';
    const events = parse(text);
    group.remembered = { events, until: performance.now() + rememberedMs };
    return events;
  }

  const flushAll = () => {
    for (const group of groups.values()) {
      flush(group);
      if (group.remembered !== undefined && group.remembered.until < performance.now())
        delete group.remembered;
    }
  };
  const timer = setInterval(flushAll, flushMs);
  timer.unref();

  return {
    write(name, timestamp, message) {
      const group = groupOf(name);
      const event = { id: group.nextId, timestamp, message };
      group.waiting.push(lineOf(event));
      group.remembered?.events.push(event);
      group.nextId += 1;
    },
    read(name) {
      const group = groupOf(name);
      flush(group);
      return keep(eventsOf(group)).toSorted(
        (left, right) => left.timestamp - right.timestamp || left.id - right.id,
      );
    },
    stop() {
      clearInterval(timer);
      flushAll();
    },
  };
}

function lineOf({ id, timestamp, message }: LogEvent): string {
  return `${JSON.stringify([id, timestamp, message])}\n`;
}

/** Parses a file, and removes duplicates: an event may be written again after a failed write. */
function parse(text: string): LogEvent[] {
  const events = new Map<number, LogEvent>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    try {
      const [id, timestamp, message] = JSON.parse(line) as [number, number, string];
      events.set(id, { id, timestamp, message });
    } catch {
      // The line is incomplete: the process died or the disk was full.
    }
  }
  return [...events.values()];
}
