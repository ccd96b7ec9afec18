import { Anchor } from '@mantine/core';
import { Link, Redirect, Route, Switch } from 'wouter';
import { Shell } from './layout/shell.js';
import { LiveProvider } from './live/live.js';
import { ActivityPage } from './pages/activity/activity.page.js';
import { FoldersPage } from './pages/folders/folders.page.js';
import { ItemPage } from './pages/item/item.page.js';
import { ReceiptPage } from './pages/item/receipt.page.js';
import { SearchPage } from './pages/search/search.page.js';
import { SourcesPage } from './pages/sources/sources.page.js';
import { SystemPage } from './pages/system/system.page.js';
import { TokensPage } from './pages/tokens/tokens.page.js';
import { useSession } from './session/session.js';
import { SignInPage } from './session/sign-in.page.js';
import { EmptyState, Loading } from './ui/states.js';

const NotFound = () => (
  <EmptyState title="There is no such page">
    <Anchor component={Link} href="/search">
      Go to Search
    </Anchor>
  </EmptyState>
);

export const App = () => {
  const { api, isFollowing } = useSession();
  if (isFollowing) return <Loading />;
  if (!api) return <SignInPage />;
  return (
    <LiveProvider>
      <Shell>
        <Switch>
          <Route path="/">
            <Redirect to="/search" replace />
          </Route>
          <Route path="/search" component={SearchPage} />
          <Route path="/sources" component={SourcesPage} />
          <Route path="/sources/:id">{({ id }) => <ItemPage key={id} itemId={id} />}</Route>
          <Route path="/folders" component={FoldersPage} />
          <Route path="/tokens" component={TokensPage} />
          <Route path="/activity" component={ActivityPage} />
          <Route path="/receipts/:id">{({ id }) => <ReceiptPage key={id} receiptId={id} />}</Route>
          <Route path="/system" component={SystemPage} />
          <Route component={NotFound} />
        </Switch>
      </Shell>
    </LiveProvider>
  );
};
