/** The page's own style sheet, named by its hash in the content security policy. */
export const style = `
:root { color-scheme: light dark; --ink: #1d2329; --quiet: #5b6670; --line: #dfe4e8; --paper: #fff; --shade: #f5f7f9; --link: #0b5cad;
  --get: #1f7a4d; --post: #0b5cad; --patch: #8a5a00; --delete: #a8322a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ec; --quiet: #98a4af; --line: #323a42; --paper: #14181c; --shade: #1c2228; --link: #7ab8f5;
  --get: #58c08c; --post: #7ab8f5; --patch: #e0ad4c; --delete: #f0857c; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; color: var(--ink); background: var(--paper); font: 16px/1.55 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  display: grid; grid-template-columns: 20rem minmax(0, 1fr); }
a { color: var(--link); text-decoration: none; }
a:hover, a:focus-visible { text-decoration: underline; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.25rem 1rem 2rem 1.25rem; border-right: 1px solid var(--line); background: var(--shade); font-size: .875rem; }
nav .title { margin: 0 0 1rem; font-size: 1.125rem; font-weight: 650; }
nav .title a, nav h2 a { color: inherit; }
nav h2 { margin: 1.25rem 0 .25rem; font-size: .75rem; letter-spacing: .04em; text-transform: uppercase; color: var(--quiet); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: flex; gap: .5rem; align-items: baseline; padding: .15rem 0; color: inherit; }
nav .method { flex: none; width: 3.6rem; font-size: .6875rem; }
small, .quiet { color: var(--quiet); }
main { padding: 2rem 2.5rem 6rem; max-width: 68rem; }
h1 { margin: 0 0 .25rem; font-size: 2rem; line-height: 1.2; }
main > h2, section > h2 { margin: 3rem 0 .5rem; font-size: 1.5rem; line-height: 1.25; }
article { margin: 1.75rem 0 0; padding-top: 1.5rem; border-top: 1px solid var(--line); }
h3 { margin: 0 0 .25rem; font-size: 1.1875rem; }
h3 a { color: inherit; }
h4 { margin: 1.5rem 0 .5rem; font-size: .8125rem; letter-spacing: .04em; text-transform: uppercase; color: var(--quiet); }
p, ul, dl { margin: .5rem 0; max-width: 46rem; }
main li { margin: .25rem 0; }
dt { font-weight: 600; }
dd { margin: 0 0 .5rem 1.25rem; }
code { font: .875em/1.5 ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
p code, li code, td code, dd code { padding: .05em .3em; border-radius: 4px; background: var(--shade); }
.call { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: baseline; margin: .25rem 0 .75rem; }
.call code { padding: 0; background: none; font-size: 1rem; }
.door { font-size: .8125rem; color: var(--quiet); border: 1px solid var(--line); border-radius: 999px; padding: .05rem .6rem; }
.method { font: 700 .8125rem/1.5 ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace; }
.get, .s2 { color: var(--get); } .post, .s3 { color: var(--post); } .patch, .s4 { color: var(--patch); } .delete, .s5 { color: var(--delete); }
pre { margin: .5rem 0; padding: .875rem 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; background: var(--shade); }
pre code { font-size: .8125rem; overflow-wrap: normal; }
figure { margin: .75rem 0; }
figcaption { font-size: .875rem; color: var(--quiet); }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; }
th { padding: .35rem .75rem .35rem 0; text-align: left; font-size: .8125rem; font-weight: 600; color: var(--quiet); border-bottom: 1px solid var(--line); }
td { padding: .4rem .75rem .4rem 0; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.fields td:first-child { width: 28%; } .fields td:last-child { width: 42%; padding-right: 0; }
td.place { white-space: nowrap; }
.required { font-size: .75rem; font-weight: 600; color: var(--delete); }
.nested { list-style: none; padding-left: .75rem; border-left: 2px solid var(--line); }
details { margin: .375rem 0; }
summary { cursor: pointer; padding: .2rem 0; }
details > :not(summary) { margin-left: 1.1rem; }
details > table { width: calc(100% - 1.1rem); }
.status { font: 700 .9375rem/1.5 ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace; }
@media (max-width: 60rem) {
  body { display: block; }
  nav { position: static; height: auto; max-height: 45vh; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding: 1.25rem 1rem 4rem; }
  table, tbody, tr, td { display: block; width: auto; }
  thead { display: none; }
  .fields td, .fields td:first-child, .fields td:last-child { width: auto; padding: .1rem 0; border: 0; }
  tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
}
@media print { nav { display: none; } body { display: block; } }
`
