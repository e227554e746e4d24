/** What is deployed has not been built; the message says how. */
export class MissingBuildError extends Error {
  override readonly name = 'MissingBuildError';
}
