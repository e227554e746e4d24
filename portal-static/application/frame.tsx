import type { ComponentChildren } from 'preact';
import { footerNavigation, type NavigationLink, site } from '../app/site.ts';

/** Header, main part and footer, shared by the application page and the static pages. */
export function Frame(props: {
  readonly navigation: readonly NavigationLink[];
  /** Path of the current page. */
  readonly path: string;
  /** The end of the header: the links to sign in, or the signed-in account. */
  readonly account: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <>
      <a class="usa-skipnav" href="#main">
        Skip to main content
      </a>
      <header class="header">
        <div class="header__inner">
          <a class="header__name" href="/">
            <Mark />
            <span>
              Member Data <span class="header__kind">Developer Portal</span>
            </span>
          </a>
          <nav class="header__nav" aria-label="Main">
            <ul>
              {props.navigation.map((link) => (
                <li key={link.href}>
                  <a href={link.href} {...currentPage(link, props.path)}>
                    {link.text}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <div class="header__account">{props.account}</div>
        </div>
      </header>
      <main id="main" class="main" tabIndex={-1}>
        {props.children}
      </main>
      <Footer />
    </>
  );
}

function currentPage({ href, also = href }: NavigationLink, path: string) {
  const isWithin = [href, also].some((start) => path === start || path.startsWith(`${start}/`));
  return isWithin ? { 'aria-current': 'page' as const } : {};
}

/** The portal's logo: records that pass from one side to the other. */
function Mark() {
  return (
    <svg class="mark" viewBox="0 0 40 40" width="36" height="36" aria-hidden="true" focusable="false">
      <rect class="mark__ground" width="40" height="40" rx="10" />
      <path class="mark__way" d="M9 14h14a5 5 0 0 1 0 10H15" />
      <circle class="mark__member" cx="29.5" cy="28" r="3.5" />
      <path class="mark__way" d="M9 28h11" />
    </svg>
  );
}

function Footer() {
  return (
    <footer class="footer">
      <div class="footer__inner">
        <nav aria-label="Footer">
          <ul>
            {footerNavigation.map((link) => (
              <li key={link.href}>
                <a href={link.href}>{link.text}</a>
              </li>
            ))}
          </ul>
        </nav>
        <p>
          For questions and problems, write to <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a>
          .
        </p>
      </div>
    </footer>
  );
}

/**
 * Header links of static pages for a browser with the marker cookie: they know that somebody may be signed in, but not who. The link opens
 * the sign-in page, which redirects to the developer's or operator's own page or asks to sign in.
 */
export function SignedInLinks() {
  return (
    <ul class="header__actions">
      <li>
        <a class="usa-button usa-button--outline" href="/sign-in">
          Your workspace
        </a>
      </li>
    </ul>
  );
}

export function SignInLinks() {
  return (
    <ul class="header__actions">
      <li>
        <a href="/sign-in">Sign in</a>
      </li>
      <li>
        <a class="usa-button usa-button--outline" href="/sign-up">
          Sign up
        </a>
      </li>
    </ul>
  );
}
