/** Renders the sign-in page of the stand-in of a plan's member portal. */

import { html, raw } from 'hono/html';
import { htmlPage } from '../html-page.ts';

const styles = `
input, button { font: inherit; padding: 0.5rem 0.75rem; max-width: 100%; }`;

/** @param problem what is wrong with the member ID that was sent. */
export function planPortalPage(problem?: string): string {
  return htmlPage({
    title: `${problem === undefined ? '' : 'Error: '}Sign in to Plan Portal`,
    styles,
    content: html`<h1>Sign in to Plan Portal</h1>
      <p class="lead">This page stands in for the member portal of a plan. It asks for no password.</p>
      <form method="post">
        ${problem === undefined ? '' : html`<p id="problem" role="alert">${problem}</p>`}
        <p>
          <label for="login">Member ID</label><br />
          <input id="login" name="login" autocomplete="username" required
            ${problem === undefined ? '' : raw('aria-invalid="true" aria-describedby="problem"')} />
        </p>
        <button>Sign in</button>
      </form>`,
  });
}

/** The page for a sign-in that was not begun here, or that has ended. */
export function planPortalEndedPage(): string {
  return htmlPage({
    title: 'This sign-in has ended',
    content: html`<h1>This sign-in has ended</h1>
      <p class="lead">Go back to the app, and connect your plan again.</p>`,
  });
}
