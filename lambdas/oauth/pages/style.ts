/**
 * The pages' one style sheet, in the page itself: its SHA-256 stands in the Content-Security-Policy. Contrast is at least
 * 4.5:1 in both colour schemes, targets are at least 44 px high, and nothing needs more than 320 px of width.
 */
export const style = `
:root{color-scheme:light dark;--paper:#fff;--ground:#f3f5f7;--ink:#1b2733;--soft:#4b5a68;--line:#8795a1;--act:#0b5c7d;--on-act:#fff;--focus:#b35900;--warn:#8a4b00;--warn-paper:#fff4e0;--bad:#a8201a;--bad-paper:#fdecea}
@media(prefers-color-scheme:dark){:root{--paper:#18212a;--ground:#0f161c;--ink:#eef2f5;--soft:#b4c0ca;--line:#71808d;--act:#8fd0ec;--on-act:#08222f;--focus:#ffb454;--warn:#ffc97a;--warn-paper:#33260f;--bad:#ff9d94;--bad-paper:#3a1a18}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:1.0625rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
header{border-top:.375rem solid var(--act);padding:1.25rem 1rem 0;max-width:36rem;margin:0 auto;color:var(--soft);font-weight:600}
main{max-width:36rem;margin:1rem auto 3rem;padding:1.5rem 1.25rem;background:var(--paper);border-radius:.5rem}
@media(min-width:40rem){header{padding-inline:2rem}main{padding:2rem}}
h1{font-size:1.625rem;line-height:1.2;margin:0 0 1rem;text-wrap:balance}
h2{font-size:1.125rem;margin:1.75rem 0 .375rem}
p{margin:0 0 .75rem}
ul{margin:0 0 .75rem;padding-left:1.25rem}
.soft,.hint{color:var(--soft)}
label{display:block;font-weight:600;margin:1.25rem 0 .375rem}
input{width:100%;min-height:2.875rem;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:.25rem}
input[aria-invalid]{border:2px solid var(--bad)}
button{min-height:2.875rem;padding:.625rem 1.25rem;font:inherit;font-weight:600;border:2px solid var(--act);border-radius:.25rem;background:var(--act);color:var(--on-act);cursor:pointer;flex:1 1 12rem}
.only{width:100%;margin-top:1.5rem}
.choices{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.75rem}
a{color:var(--act)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.notice{border-left:.375rem solid;padding:.875rem 1rem;margin:0 0 1.25rem;border-radius:.25rem}
.notice h2{margin:0 0 .25rem}
.notice p:last-child,.notice ul:last-child{margin:0}
.warn{border-color:var(--warn);background:var(--warn-paper)}
.bad{border-color:var(--bad);background:var(--bad-paper)}
.field-error{color:var(--bad);font-weight:600;margin:0 0 .375rem}
@media(forced-colors:active){button,input,.notice{border:2px solid}}
`;
