/**
 * One JSON line per event, on standard output, as Lambda's log group takes it. Only the fields named here can be
 * written: codes and correlation ids, never a name, a token, a key, an address or a resource.
 */
export interface LogFields {
  readonly requestId?: string;
  /** The client's own, a plain token of at most 64 characters. */
  readonly clientRequestId?: string;
  readonly lob?: string;
  readonly route?: string;
  readonly status?: number;
  readonly durationMs?: number;
  readonly clientId?: string;
  /** A stable code of ours: `grant_revoked`, `store_unavailable`. */
  readonly reason?: string;
  /** `error.name` of a defect; its message and stack may quote input, so they stay out. */
  readonly errorName?: string;
}

export type LogLevel = 'info' | 'warn' | 'error';

export type Log = (level: LogLevel, code: string, fields?: LogFields) => void;

const allowed: readonly (keyof LogFields)[] = [
  'requestId',
  'clientRequestId',
  'lob',
  'route',
  'status',
  'durationMs',
  'clientId',
  'reason',
  'errorName',
];

export function createLog(write: (line: string) => void, now: () => number): Log {
  return (level, code, fields = {}) => {
    const line: Record<string, unknown> = { time: new Date(now()).toISOString(), level, code };
    for (const name of allowed) if (fields[name] !== undefined) line[name] = fields[name];
    write(JSON.stringify(line));
  };
}

export const consoleLog: Log = createLog((line) => console.log(line), Date.now);
