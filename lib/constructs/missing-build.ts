/** Thrown if a bundle or the portal's pages have not been built; the message names the command. */
export class MissingBuildError extends Error {
  override readonly name = 'MissingBuildError';
}
