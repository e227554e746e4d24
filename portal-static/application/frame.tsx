import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { footerNavigation, type NavigationLink, site } from '../app/site.ts';

const menuId = 'header-menu';

/**
 * Header, main part and footer, shared by the application page and the static pages. On a narrow screen the links of the header are a menu:
 * a popover, which the browser opens and closes, so that it works without a script too. Escape closes it, and the focus returns.
 */
export function Frame(props: {
  readonly navigation: readonly NavigationLink[];
  /** Path of the current page. */
  readonly path: string;
  /** The end of the header: the links to sign in, or the signed-in account. */
  readonly account: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const menu = useRef<HTMLDivElement>(null);
  const close = () => menu.current?.hidePopover?.();
  // A link to another view of the application page loads no document.
  useEffect(close, [props.path]);
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
          <button type="button" class="header__toggle usa-button usa-button--outline" popovertarget={menuId}>
            Menu
          </button>
          <div ref={menu} id={menuId} class="header__menu" popover="auto">
            <button
              type="button"
              class="header__close usa-button usa-button--outline"
              popovertarget={menuId}
              popovertargetaction="hide"
              autofocus
            >
              Close<span class="usa-sr-only"> the menu</span>
            </button>
            <nav class="header__nav" aria-label="Main">
              <ul>
                {props.navigation.map((link) => (
                  <li key={link.href}>
                    <a href={link.href} onClick={close} {...currentPage(link, props.path)}>
                      {link.text}
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
            <div class="header__account">{props.account}</div>
          </div>
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
 * Header links of static pages for a browser with the marker cookie: they know that somebody may be signed in, but not who. The account's
 * page asks to sign in if nobody is.
 */
export function SignedInLinks() {
  return (
    <ul class="header__actions">
      <li>
        <a href="/account">Your account</a>
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
