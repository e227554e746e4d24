/**
 * Compiles the path pattern of a cache behavior: `*` stands for any characters, `?` for one; a leading slash is optional; case matters.
 *
 * @see
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/DownloadDistValuesCacheBehavior.html#DownloadDistValuesPathPattern
 */
export function compilePathPattern(pattern: string): (path: string) => boolean {
  const escaped = pattern.replace(/^\//, '').replace(/[.+^${}()|[\]\\]/g, '\\$&');
  const expression = new RegExp(`^/?${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');
  return (path) => expression.test(path);
}
