/** The data that the pool passes to a new worker. */
export interface Bootstrap {
  readonly codePath: string;
  readonly handler: string;
  /** Whether the thread yields the processor to threads of other functions. */
  readonly isBackground: boolean;
  /** One shared number: how many invocations the thread has been given. A frozen thread waits for it to change. */
  readonly given: Int32Array<SharedArrayBuffer>;
}

/** One invocation. */
export interface Task {
  readonly requestId: string;
  /** JSON. */
  readonly payload: string;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  readonly functionArn: string;
}

/** An error as Lambda reports it to the caller; the stack stays in the log. */
export interface FunctionError {
  readonly errorType: string;
  readonly errorMessage: string;
}

/** A worker's message: first `ready` or `broken`, then one `answer` or `failure` for each task. */
export type Report =
  | { readonly kind: 'ready' }
  | { readonly kind: 'broken'; readonly error: FunctionError }
  | { readonly kind: 'answer'; readonly payload: string }
  | { readonly kind: 'failure'; readonly error: FunctionError };
