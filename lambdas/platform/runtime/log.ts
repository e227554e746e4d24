/**
 * Fields of a log line, which is JSON on standard output for Lambda's log group. Only these can be logged: codes and correlation IDs, never
 * a name, a token, a key, an address or a resource.
 */
export interface LogFields {
  readonly requestId?: string;
  /** The client's own request ID, a plain token of at most 64 characters. */
  readonly clientRequestId?: string;
  readonly lob?: string;
  readonly route?: string;
  readonly status?: number;
  readonly durationMs?: number;
  readonly clientId?: string;
  /** Stable code of this service: `grant_revoked`, `store_unavailable`. */
  readonly reason?: string;
  /** `error.name` of a defect. Its message and stack are not logged, because they may contain input. */
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

/** @param servedBy the version of the function, which lines of errors name. */
export function createLog(write: (line: string) => void, now: () => number, servedBy?: string): Log {
  return (level, code, fields = {}) => {
    const line: Record<string, unknown> = { time: new Date(now()).toISOString(), level, code };
    for (const name of allowed) if (fields[name] !== undefined) line[name] = fields[name];
    if (level === 'error' && servedBy !== undefined) line.servedBy = servedBy;
    write(JSON.stringify(line));
  };
}

const { AWS_LAMBDA_FUNCTION_NAME: functionName, AWS_LAMBDA_FUNCTION_VERSION: version } = process.env;

/** Writes to the function's log. The metric filters of a release find the defects of its version (`lib/constructs/alarm-table.ts`). */
export const consoleLog: Log = createLog(
  (line) => console.log(line),
  Date.now,
  version === undefined ? undefined : `version ${version} of ${functionName}`,
);
