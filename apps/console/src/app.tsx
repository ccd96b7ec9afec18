import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, Redirect, Route, Switch } from 'wouter';
import classes from './layout/shell.module.css';
import { Shell } from './layout/shell.js';
import { LiveProvider } from './live/live.js';
import { OutcomeProvider } from './live/outcome.js';
import { ActivityPage } from './pages/activity/activity.page.js';
import { FoldersPage } from './pages/folders/folders.page.js';
import { ConnectionsPage } from './pages/connections/connections.page.js';
import { EntityPage } from './pages/graph/entity.page.js';
import { GraphPage } from './pages/graph/graph.page.js';
import { ItemPage } from './pages/item/item.page.js';
import { ReceiptPage } from './pages/item/receipt.page.js';
import { ReviewPage } from './pages/review/review.page.js';
import { SearchPage } from './pages/search/search.page.js';
import { ServersPage } from './pages/servers/servers.page.js';
import { SourcesPage } from './pages/sources/sources.page.js';
import { SystemPage } from './pages/system/system.page.js';
import { TokensPage } from './pages/tokens/tokens.page.js';
import { ForAdmins } from './session/for-admins.js';
import { useSession } from './session/session.js';
import { SignInPage } from './session/sign-in.page.js';
import { EmptyState, Loading, PageHead } from './ui/states.js';

interface PageRoute {
  readonly path: string;
  /** The page's heading, if only an administrator can use the page. */
  readonly forAdmins?: string;
  readonly page: (id: string) => ReactNode;
}

const ROUTES: readonly PageRoute[] = [
  { path: '/', page: () => <Redirect to="/search" replace /> },
  { path: '/search', page: () => <SearchPage /> },
  { path: '/sources', page: () => <SourcesPage /> },
  { path: '/sources/:id', page: (id) => <ItemPage key={id} itemId={id} /> },
  { path: '/graph', forAdmins: 'Graph', page: () => <GraphPage /> },
  { path: '/graph/:id', forAdmins: 'Graph', page: (id) => <EntityPage key={id} entityId={id} /> },
  { path: '/review', forAdmins: 'Review', page: () => <ReviewPage /> },
  { path: '/folders', page: () => <FoldersPage /> },
  { path: '/connections', forAdmins: 'Connections', page: () => <ConnectionsPage /> },
  { path: '/servers', forAdmins: 'Servers', page: () => <ServersPage /> },
  { path: '/tokens', forAdmins: 'Tokens', page: () => <TokensPage /> },
  { path: '/activity', forAdmins: 'Activity', page: () => <ActivityPage /> },
  {
    path: '/receipts/:id',
    forAdmins: 'Receipt of a forgetting',
    page: (id) => <ReceiptPage key={id} receiptId={id} />,
  },
  { path: '/system', forAdmins: 'System', page: () => <SystemPage /> },
];

const NotFound = () => (
  <>
    <PageHead title="There is no such page" />
    <EmptyState title="Nothing is at this address">
      <Anchor component={Link} href="/search">
        Go to Search
      </Anchor>
    </EmptyState>
  </>
);

/** Shown before sign-in: the form at every address of the console, and "not found" at any other. */
const Entrance = () => (
  <Switch>
    {ROUTES.map(({ path }) => (
      <Route key={path} path={path} component={SignInPage} />
    ))}
    <Route>
      <main className={classes.content}>
        <NotFound />
      </main>
    </Route>
  </Switch>
);

export const App = () => {
  const { api, isFollowing } = useSession();
  if (isFollowing) return <Loading />;
  if (!api) return <Entrance />;
  return (
    <LiveProvider>
      <OutcomeProvider>
        <Shell>
          <Switch>
            {ROUTES.map(({ path, forAdmins, page }) => (
              <Route key={path} path={path}>
                {({ id = '' }: { readonly id?: string }) =>
                  forAdmins === undefined ? page(id) : <ForAdmins title={forAdmins}>{page(id)}</ForAdmins>
                }
              </Route>
            ))}
            <Route component={NotFound} />
          </Switch>
        </Shell>
      </OutcomeProvider>
    </LiveProvider>
  );
};
