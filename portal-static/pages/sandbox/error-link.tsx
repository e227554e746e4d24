import '../../app/kernel.ts';
import { errorPage } from './error-page-model.ts';
import type { Exchange } from './exchange.ts';

/** Link to the documentation of a refusal. */
export function ErrorLink({ exchange }: { readonly exchange: Exchange }) {
  const address = errorPage(exchange);
  if (address === undefined) return null;
  return (
    <p>
      <a href={address} target="_blank" rel="noopener">
        What this error means, and what to do<span class="usa-sr-only"> (opens in a new tab)</span>
      </a>
    </p>
  );
}
