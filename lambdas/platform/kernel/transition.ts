/** An edge of a state machine: the states an act may start from, and the state it leads to. */
export interface Transition<State extends string = string> {
  readonly from: readonly State[];
  readonly to: State;
}
