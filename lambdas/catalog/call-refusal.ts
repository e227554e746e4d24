/**
 * The explanation of a refused call, by the reason that the authorizer or the token endpoint logged. The portal's log of calls and the page of
 * errors show it to the application's developer. Each member is a sentence or a part of one.
 */
export interface CallRefusal {
  readonly expected: string;
  readonly received: string;
  readonly fix: string;
}
