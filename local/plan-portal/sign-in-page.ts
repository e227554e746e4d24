/** Renders the sign-in page of the stand-in of a plan's member portal. */

import { html, raw } from 'hono/html';
import { stylesheet } from '../inbox/stylesheet.ts';

const styles = `${stylesheet}
input, button { font: inherit; padding: 0.5rem 0.75rem; max-width: 100%; }`;

/** @param problem what is wrong with the member ID that was sent. */
export function planPortalPage(problem?: string): string {
  return String(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${problem === undefined ? '' : 'Error: '}Sign in to Plan Portal</title>
          <style>${raw(styles)}</style>
        </head>
        <body>
          <main>
            <h1>Sign in to Plan Portal</h1>
            <p class="lead">This page stands in for the member portal of a plan. It asks for no password.</p>
            <form method="post">
              ${problem === undefined ? '' : html`<p id="problem" role="alert">${problem}</p>`}
              <p>
                <label for="login">Member ID</label><br />
                <input id="login" name="login" autocomplete="username" required
                  ${problem === undefined ? '' : raw('aria-invalid="true" aria-describedby="problem"')} />
              </p>
              <button>Sign in</button>
            </form>
          </main>
        </body>
      </html>`,
  );
}

/** The page for a sign-in that was not begun here, or that has ended. */
export function planPortalEndedPage(): string {
  return String(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>This sign-in has ended</title>
          <style>${raw(styles)}</style>
        </head>
        <body>
          <main>
            <h1>This sign-in has ended</h1>
            <p class="lead">Go back to the app, and connect your plan again.</p>
          </main>
        </body>
      </html>`,
  );
}
