/** A refusal in the service's own words. `code` is the exception's name, as the SDK reports it. */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  readonly code: string;
  /**
   * HTTP status.
   *
   * @default the protocol's status for a caller's mistake
   */
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

/** The stand-in lacks a feature. The response is that of an unknown operation, and the case is logged. */
export class NotImplemented extends Error {
  override readonly name = 'NotImplemented';
}
