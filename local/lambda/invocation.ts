/** Result of an invocation. */
export interface InvocationOutcome {
  /** JSON text: the function's result, or `{ errorMessage, errorType, … }`. */
  readonly payload: string;
  /** `Unhandled` if the function threw, timed out or ended. */
  readonly functionError?: string;
}

/** Invokes a function and waits for its end. `functionArn` is the ARN of a function of the templates. */
export type InvokeFunction = (functionArn: string, payload: string) => Promise<InvocationOutcome>;
