/**
 * A behaviour's path pattern: `*` stands for any characters, `?` for one; a leading slash may be left out; case counts.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/DownloadDistValuesCacheBehavior.html#DownloadDistValuesPathPattern
 */
export function compilePathPattern(pattern: string): (path: string) => boolean {
  const escaped = pattern.replace(/^\//, '').replace(/[.+^${}()|[\]\\]/g, '\\$&');
  const expression = new RegExp(`^/?${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');
  return (path) => expression.test(path);
}
