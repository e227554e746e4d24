import { NotLoaded } from '../components/later.tsx';
import { Page } from './page.tsx';

/** Stands for a page whose code did not come. */
export function NotLoadedPage() {
  return (
    <Page title="This page did not load">
      <NotLoaded />
    </Page>
  );
}
