/** A transition of a state machine: the states from which it is allowed, and the new state. */
export interface Transition<State extends string = string> {
  readonly from: readonly State[];
  readonly to: State;
}
