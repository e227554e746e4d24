/** A template can't be run on this machine; the message is one line that says what to change. */
export class AssemblyError extends Error {
  override readonly name = 'AssemblyError';
}
