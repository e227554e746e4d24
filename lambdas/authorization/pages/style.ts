import { type PlanBrand, planBrand } from '../../catalog/plan-brand.ts';

/**
 * The style sheet of a page: with the plan's colors and logo, if it has a brand.
 */
export function pageStyle(brand: PlanBrand | undefined = planBrand): string {
  if (brand === undefined) return style;
  const { light, dark } = brand.colors;
  return `${style}:root{--act:${light.action};--on-act:${light.onAction}}
@media(prefers-color-scheme:dark){:root{--act:${dark.action};--on-act:${dark.onAction}}.brand img{padding:.25rem;background:#fff;border-radius:.25rem;box-sizing:content-box}}
header .brand{flex:1 0 100%;font-size:1.25rem;color:var(--ink)}
.brand img{display:block;max-width:100%}
`;
}

/**
 * The style sheet of all members' pages. It is inline; its SHA-256 is in the Content-Security-Policy. Contrast is at least 4.5:1 in both
 * color schemes, targets are at least 44 px high, and pages fit a width of 320 px.
 */
const style = `
:root{color-scheme:light dark;--paper:#fff;--ground:#f1f4f6;--ink:#1b2733;--soft:#4b5a68;--line:#8795a1;--rule:#dde3e8;--act:#0b5c7d;--on-act:#fff;--focus:#b35900;--warn:#8a4b00;--warn-paper:#fff4e0;--bad:#a8201a;--bad-paper:#fdecea;--good:#1c6b3a;--good-paper:#e8f5ec}
@media(prefers-color-scheme:dark){:root{--paper:#18212a;--ground:#0f161c;--ink:#eef2f5;--soft:#b4c0ca;--line:#71808d;--rule:#33404b;--act:#8fd0ec;--on-act:#08222f;--focus:#ffb454;--warn:#ffc97a;--warn-paper:#33260f;--bad:#ff9d94;--bad-paper:#3a1a18;--good:#86d6a2;--good-paper:#12301d}}
*{box-sizing:border-box}
body{margin:0;border-top:.375rem solid var(--act);background:var(--ground);color:var(--ink);font:1.0625rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
header,footer{max-width:38rem;margin:0 auto;padding:1rem 1.25rem 0;color:var(--soft)}
header{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;justify-content:space-between;align-items:center}
header p{margin:0;font-weight:600;flex:1 1 12rem}
header a{display:inline-block;padding:.625rem 0}
main{max-width:38rem;margin:.75rem auto 1.5rem;padding:1.5rem 1.25rem;background:var(--paper);border-radius:.75rem;box-shadow:0 1px 3px #0002}
footer{padding-bottom:3rem;font-size:.9375rem}
footer ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(15rem,100%),1fr));gap:0 1rem;list-style:none;padding:0;margin:0}
footer li{margin:0}
footer a{display:inline-block;padding:.625rem 0}
@media(min-width:40rem){.history td:first-child{white-space:nowrap}main{padding:2.25rem}header,footer{padding-inline:2.25rem}}
h1{font-size:1.75rem;line-height:1.2;letter-spacing:-.01em;margin:0 0 1rem;text-wrap:balance}
h2,h3{font-size:1.125rem;line-height:1.3;margin:1.75rem 0 .375rem}
p{margin:0 0 .75rem}
ul{margin:0 0 .75rem;padding-left:1.25rem}
li{margin-bottom:.375rem}
small{font-size:.875em;color:var(--soft)}
.soft{color:var(--soft)}
.groups{list-style:none;padding:0}
.groups li,.box,.card{border:1px solid var(--rule);border-radius:.5rem;padding:.875rem 1rem;margin-bottom:.625rem}
label{display:block;font-weight:600;margin:1.25rem 0 .375rem}
input{width:100%;min-height:3rem;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:.375rem}
input[aria-invalid]{border:2px solid var(--bad)}
fieldset{border:0;padding:0;margin:0;min-width:0}
legend{padding:0}
.apart{border-left:.375rem solid var(--warn);padding-left:1rem;margin:1.25rem 0}
.apart h3{margin-top:0}
.box{display:grid;grid-template-columns:auto 1fr;column-gap:.75rem;align-items:center}
.box input{width:1.5rem;min-height:1.5rem;height:1.5rem;margin:.625rem 0;accent-color:var(--act)}
.box label{margin:0;padding:.625rem 0}
.box p{grid-column:2;margin:0}
button{min-height:3rem;padding:.625rem 1.25rem;font:inherit;font-weight:600;border:2px solid var(--act);border-radius:.375rem;background:var(--act);color:var(--on-act);cursor:pointer;flex:1 1 12rem}
.button{display:block;min-height:3rem;padding:.625rem 1.25rem;font-weight:600;text-align:center;text-decoration:none;border:2px solid var(--act);border-radius:.375rem;background:var(--act);color:var(--on-act)}
.second{background:none;color:var(--act)}
.plain{min-height:2.75rem;padding:0;border:0;background:none;color:var(--act);font-weight:400;text-decoration:underline}
.only{width:100%;margin-top:1.5rem}
.choices{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.75rem}
.choices .button{flex:1 1 12rem}
.keep,.beside{margin-top:1.25rem}
.date{display:flex;flex-wrap:wrap;gap:0 1rem}
.date div{flex:1 1 5rem}
.card{margin:1.25rem 0;padding:1.25rem}
.card h3{margin:0;font-size:1.25rem}
.card p:last-child{margin:.5rem 0 0}
dl{margin:.75rem 0}
dl div{display:flex;flex-wrap:wrap;gap:0 1rem;padding:.5rem 0;border-top:1px solid var(--rule)}
dt{flex:0 0 9rem;color:var(--soft)}
dd{flex:1 1 10rem;margin:0}
dd:has(code){flex-basis:16rem}
.history{width:100%;border-collapse:collapse;margin-bottom:1rem}
th,td{padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--rule);text-align:left;vertical-align:top}
a{color:var(--act)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
details{border-top:1px solid var(--rule);margin-top:1.5rem}
summary{padding:.75rem 0;color:var(--act);cursor:pointer}
.notice{border-left:.375rem solid;padding:.875rem 1rem;margin:0 0 1.25rem;border-radius:.375rem}
.notice h2{margin:0 0 .25rem}
.notice p:last-child,.notice ul:last-child{margin:0}
.warn{border-color:var(--warn);background:var(--warn-paper)}
.bad{border-color:var(--bad);background:var(--bad-paper)}
.good{border-color:var(--good);background:var(--good-paper)}
.field-error{color:var(--bad);font-weight:600;margin:0 0 .375rem}
@media(forced-colors:active){button,input,.notice{border:2px solid}}
`;
