/** A code block that scrolls in a narrow window, also by keyboard. */
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
