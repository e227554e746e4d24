import { describe, expect, it } from 'vitest';
import { fillIn, formWithButton, readPage } from '../../../ops/http/html-page.ts';

const html = `<!doctype html><html><head><title>Sign in</title><style>h1 { color: red }</style></head><body>
<h1>Sign in to <em>Health</em></h1><!-- <form><button>Trap</button></form> -->
<form method="post" action="/sign-in?a=1&amp;b=2">
  <input type="hidden" name="token" value="a&quot;b">
  <label for="user">Member ID or e-mail</label><input id="user" name="username" autocomplete=username>
  <label>Password <input type='password' name='password'></label>
  <label><input type="checkbox" name="remember" value="1"> Remember me</label>
  <button type="submit" name="decision" value="yes">Sign&nbsp;in</button>
  <button name="decision" value="no">Don&#39;t &#x73;hare</button>
</form></body></html>`;

describe('a page', () => {
  const page = readPage(html);

  it('is what a person sees of it', () => {
    expect(page.title).toBe('Sign in');
    expect(page.headings).toEqual(['Sign in to Health']);
    expect(page.text).not.toContain('color');
    expect(page.forms).toHaveLength(1);
  });

  it('has fields by their labels, whether they stand beside them or around them', () => {
    expect(page.forms[0]?.fields.map(({ label, name, type }) => [label, name, type])).toEqual([
      ['', 'token', 'hidden'],
      ['Member ID or e-mail', 'username', 'text'],
      ['Password', 'password', 'password'],
      ['Remember me', 'remember', 'checkbox'],
    ]);
    expect(page.forms[0]).toMatchObject({ method: 'POST', action: '/sign-in?a=1&b=2' });
  });

  it('sends what a browser would: hidden fields, filled fields, the pressed button, no unticked box', () => {
    const form = formWithButton(page, "Don't share");
    if (form === undefined) throw new Error('no form');
    const sent = fillIn(form, { 'Member ID or e-mail': 'ada', Password: 'x y' }, "Don't share");
    expect([...sent]).toEqual([
      ['token', 'a"b'],
      ['username', 'ada'],
      ['password', 'x y'],
      ['decision', 'no'],
    ]);
  });

  it('says which label or button is missing', () => {
    const [form] = page.forms;
    if (form === undefined) throw new Error('no form');
    expect(() => fillIn(form, { Email: 'x' }, 'Sign in')).toThrow('no field is labelled "Email"');
    expect(() => fillIn(form, {}, 'Go')).toThrow('no button says "Go"');
    expect(formWithButton(page, 'Trap')).toBeUndefined();
  });
});
