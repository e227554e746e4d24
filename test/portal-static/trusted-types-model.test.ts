import { describe, expect, it } from 'vitest';
import { isMarkdownMarkup } from '../../portal-static/app/trusted-types.ts';

describe('markup that the reference may show', () => {
  it.each([
    '<p>A member’s own data &amp; <code>Patient</code>, <i>array</i><br />.</p>',
    '<p>See <a href="https://example.org/x?a=1&amp;b=2" rel="noopener noreferrer" target="_blank">there</a> and <a href="/docs">here</a>.</p>',
    '<ul>\n<li>one</li>\n</ul><table><thead><tr><th>a</th></tr></thead></table>',
  ])('is what Markdown makes: %s', (markup) => {
    expect(isMarkdownMarkup(markup)).toBe(true);
  });

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<p onclick="alert(1)">x</p>',
    '<p style="background:url(//evil.example)">x</p>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="https://a.example" onclick="alert(1)">x</a>',
    '<a href="data:text/html,x">x</a>',
    '<svg><a href="#"></a></svg>',
    '<iframe src="https://evil.example"></iframe>',
    '<p>open <',
    '<form action="/x"><p>x</p></form>',
  ])('is nothing else: %s', (markup) => {
    expect(isMarkdownMarkup(markup)).toBe(false);
  });

  it('is judged in time that grows with its length only', () => {
    const began = performance.now();
    isMarkdownMarkup(`${'<a href="/x">'.repeat(20_000)}<`);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
