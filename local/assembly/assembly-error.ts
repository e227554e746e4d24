/** A template this runner can't run: the message is one line a person can act on. */
export class AssemblyError extends Error {
  override readonly name = 'AssemblyError';
}
