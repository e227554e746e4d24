/** The explanation of a refused call for the application's developer. */
export interface CallRefusal {
  readonly expected: string;
  readonly received: string;
  readonly fix: string;
}
