/** Result of an invocation. */
export interface InvocationOutcome {
  /** JSON text: the function's result, or `{ errorMessage, errorType, … }`. */
  readonly payload: string;
  /** `Unhandled` when the function threw, timed out or ended. */
  readonly functionError?: string;
}

/** Runs a function to its end. `functionArn` is the ARN of a function the templates declare. */
export type InvokeFunction = (functionArn: string, payload: string) => Promise<InvocationOutcome>;
