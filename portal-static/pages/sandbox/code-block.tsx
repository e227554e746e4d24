/** Code that scrolls by itself where the window is narrow, by keyboard too. */
export function CodeBlock(props: { readonly text: string; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1).
    <section class="code-block" tabIndex={0} aria-label={props.label}>
      <pre>
        <code>{props.text}</code>
      </pre>
    </section>
  );
}
