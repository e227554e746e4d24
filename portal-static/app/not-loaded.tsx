import { NotLoaded } from '../components/later.tsx';
import { Page } from './page.tsx';

/** Shown if the code of a page could not be loaded. */
export function NotLoadedPage() {
  return (
    <Page title="This page did not load">
      <NotLoaded />
    </Page>
  );
}
