/** Thrown for a template this runner can't run; the message is one line that says what to change. */
export class AssemblyError extends Error {
  override readonly name = 'AssemblyError';
}
