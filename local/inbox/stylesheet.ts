/** Styles of the inbox page: system fonts, light and dark color schemes, contrast of at least 4.5 to 1. */
export const stylesheet = `
:root { color-scheme: light dark; --line: #c9ced6; --quiet: #4a5361; --paper: #ffffff; --ground: #f2f4f7; --ink: #16202c; --link: #0b5394; --mail: #0b5394; --text: #1d6b3a; }
@media (prefers-color-scheme: dark) { :root { --line: #3b4654; --quiet: #b3bdca; --paper: #1b232d; --ground: #11171e; --ink: #eef2f6; --link: #8ec5ff; --mail: #1f5f9e; --text: #2b7a49; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 48rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 0.5rem; }
a { color: var(--link); }
a:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.lead { margin: 0 0 1rem; }
.toolbar { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 0 0 1.5rem; color: var(--quiet); }
.empty { padding: 2rem; border: 1px dashed var(--line); border-radius: 0.5rem; text-align: center; color: var(--quiet); }
.messages { list-style: none; margin: 0; padding: 0; display: grid; gap: 1rem; }
article { background: var(--paper); border: 1px solid var(--line); border-radius: 0.5rem; padding: 1rem 1.25rem; }
h2 { font-size: 1.1rem; line-height: 1.35; margin: 0 0 0.5rem; overflow-wrap: anywhere; }
.kind { display: inline-block; padding: 0 0.5rem; border-radius: 0.25rem; font-size: 0.8rem; line-height: 1.5rem; color: #ffffff; }
.kind.email { background: var(--mail); }
.kind.text { background: var(--text); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; margin: 0; font-size: 0.9rem; }
@media (max-width: 40rem) { .hosts { grid-template-columns: 1fr; } .hosts dd { margin: 0 0 0.75rem; } }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
pre { margin: 0.75rem 0 0; padding-top: 0.75rem; border-top: 1px solid var(--line); font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
iframe { width: 100%; height: 20rem; margin-top: 0.75rem; border: 1px solid var(--line); border-radius: 0.25rem; background: #ffffff; }
`;
