import { Alert } from '../../components/alert.tsx';
import { takenBefore } from './taken.ts';

/** Says which decision led to this page. */
export function TakenAlert({ path }: { readonly path: string }) {
  const taken = takenBefore(path);
  if (taken === undefined) return null;
  return (
    <Alert kind="success">
      <p>
        {taken.words}:{' '}
        <a href={taken.href} dir="auto">
          {taken.name}
        </a>
      </p>
    </Alert>
  );
}
