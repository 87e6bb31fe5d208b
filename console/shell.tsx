import { useEffect, useRef, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { AccountMenu } from './session/account.js';
import { credentials, refused } from './session/session.js';
import { SignIn } from './session/signIn.js';
import { Brand } from './parts/brand.js';
import { Chunk } from './parts/chunk.js';
import { emptyFirst } from './parts/emptyFirst.js';
import { useFarmAccess } from './parts/farmAccess.js';
import { Icon, type IconName } from './parts/icons.js';
import { NotThere } from './parts/notThere.js';
import { useNoticesOn } from './parts/noticesOn.js';
import { hrefOf, lastHref, place, type ViewName } from './router.js';
import { turnUnits, units } from './parts/units.js';
import { Waiting } from './parts/countdown.js';
import { theme, turnTheme } from './theme.js';
import { Fields } from './views/fields.js';

const TABS: readonly { readonly view: ViewName; readonly name: string; readonly icon: IconName }[] = [
  { view: 'fields', name: 'Fields', icon: 'fields' },
  { view: 'farms', name: 'Farms', icon: 'farms' },
  { view: 'enrollments', name: 'Enrollments', icon: 'enrollments' },
  { view: 'degree-days', name: 'Degree-days', icon: 'degreeDays' },
  { view: 'boundary', name: 'Boundary', icon: 'boundary' },
  { view: 'notices', name: 'Notices', icon: 'notices' },
];

/** A view that is loaded when it is opened first: the fields are there sooner. */
const lazy =
  (heading: string, part: string, load: () => Promise<() => JSX.Element>): (() => JSX.Element) =>
  () => (
    <Chunk heading={heading} part={part} load={load}>
      {(Loaded) => <Loaded />}
    </Chunk>
  );

const views: Readonly<Record<ViewName, () => JSX.Element>> = {
  fields: Fields,
  add: lazy('Add fields', 'addFields', async () => (await import('./views/addFields.js')).AddFields),
  enrollments: lazy('Enrollments', 'enrollments', async () => (await import('./views/enrollments.js')).Enrollments),
  'degree-days': lazy('Degree-days', 'degreeDays', async () => (await import('./views/degreeDays.js')).DegreeDays),
  boundary: lazy('Boundary of a field', 'boundary', async () => (await import('./views/boundary.js')).Boundary),
  farms: lazy('Farms', 'farms', async () => (await import('./views/farms.js')).Farms),
  notices: lazy('Notices', 'notices', async () => (await import('./views/notices.js')).Notices),
};

/** Who may not see farm data has no use for its view; nor has anybody for notices that are off. */
function Tabs(): JSX.Element {
  const isThere: Partial<Record<ViewName, boolean>> = {
    farms: useFarmAccess().state === 'own',
    notices: useNoticesOn() === true,
  };
  return (
    <nav class="tabs" aria-label="Views">
      {TABS.filter(({ view }) => isThere[view] ?? true).map(({ view, name, icon }) => {
        const isHere =
          place.value.unknown === undefined &&
          (place.value.view === view || (view === 'fields' && place.value.view === 'add'));
        return (
          <a
            key={view}
            href={place.value.view === view ? hrefOf(view) : lastHref(view)}
            aria-current={isHere ? 'page' : undefined}
          >
            <Icon name={icon} />
            <span>{name}</span>
          </a>
        );
      })}
    </nav>
  );
}

const UnitsButton = (): JSX.Element => (
  <button
    type="button"
    class="plain units-button"
    onClick={turnUnits}
    title={units.value === 'us' ? 'Show hectares and °C' : 'Show acres and °F'}
  >
    <span class="hidden">{units.value === 'us' ? 'Show hectares and °C' : 'Show acres and °F'}</span>
    <span aria-hidden="true">{units.value === 'us' ? 'ac' : 'ha'}</span>
  </button>
);

const ThemeButton = (): JSX.Element => (
  <button type="button" class="plain" onClick={turnTheme} aria-label={theme.value === 'dark' ? 'Light' : 'Dark'}>
    <Icon name={theme.value === 'dark' ? 'sun' : 'moon'} />
  </button>
);

const NoView = ({ name }: { readonly name: string }): JSX.Element => (
  <section class="page">
    <h1>Not here</h1>
    <NotThere>The console has no view “{name}”: the address is wrong, or of another version.</NotThere>
    <div class="row">
      <a class="button first" href={hrefOf('fields')}>
        Show the fields
      </a>
    </div>
  </section>
);

/** The view of the address; focus goes to it when it is another one. */
const View = emptyFirst(({ isCovered }: { readonly isCovered: boolean }): JSX.Element => {
  const main = useRef<HTMLElement>(null);
  const [first] = useState(() => place.value.view);
  const { view, unknown } = place.value;
  const hasMoved = useRef(false);
  useEffect(() => {
    if (hasMoved.current || view !== first) main.current?.focus({ preventScroll: true });
    hasMoved.current = hasMoved.current || view !== first;
  }, [view, first]);
  const Shown = views[view];
  return (
    <main id="main" ref={main} tabIndex={-1} inert={isCovered}>
      {unknown === undefined ? <Shown key={view} /> : <NoView name={unknown} />}
    </main>
  );
});

/** The whole page: sign-in, or the view of the address with the sign-in over it when the service wants one. */
export function Shell({ isSigningIn }: { readonly isSigningIn: Promise<void> | undefined }): JSX.Element {
  const [isBusy, setBusy] = useState(isSigningIn !== undefined);
  useEffect(() => {
    void isSigningIn?.finally(() => {
      setBusy(false);
    });
  }, [isSigningIn]);
  if (credentials.value === undefined) return <SignIn isBusy={isBusy} />;
  // Nobody reaches with keys what stands below the sign-in.
  const isCovered = refused.value !== undefined;
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={skip} inert={isCovered}>
        Skip to the view
      </a>
      <header class="top" inert={isCovered}>
        <a class="brand" href={hrefOf('fields')}>
          <Brand />
        </a>
        <Tabs />
        <div class="top-end">
          <AccountMenu />
          <UnitsButton />
          <ThemeButton />
        </div>
      </header>
      <Waiting />
      <View isCovered={isCovered} />
      {refused.value === undefined ? null : <SignIn isOver refused={refused.value} />}
    </div>
  );
}

/** The fragment is the address of a view, so the skip link moves the focus by itself. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
