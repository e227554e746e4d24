/** A refusal in the service's own words: `code` is the exception's name as the SDK reports it. */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  readonly code: string;
  /** HTTP status; by default what the protocols answer to a caller's mistake. */
  readonly status: number;
  /** Further members of the exception, such as `CancellationReasons`. */
  readonly members: Readonly<Record<string, unknown>>;
  constructor(code: string, message: string, status = 400, members: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.members = members;
  }
}

/** Thrown for a feature the stand-in lacks: answered as an unknown operation, and logged. */
export class NotImplemented extends Error {
  override readonly name = 'NotImplemented';
}
