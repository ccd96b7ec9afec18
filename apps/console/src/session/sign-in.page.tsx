import { Alert, Button, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { adviceOn, asApiError, type ApiError } from '../api/api-error.js';
import { CairnIcon } from '../ui/icons.js';
import { useSession } from './session.js';
import classes from './sign-in.module.css';

/** A header holds visible ASCII only. Anything else is a copy mistake and is reported before it is sent. */
const isToken = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

const Failure = ({ error }: { readonly error: ApiError }) => (
  <Alert color="red" title={error.message} role="alert">
    {error.status === 401
      ? 'Take the token from CAIRN_HOME/admin-token, or ask an administrator for a new one.'
      : adviceOn(error)}
  </Alert>
);

/** Renders text between backticks as code. */
const Advice = ({ text }: { readonly text: string }) =>
  text.split('`').map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part));

export const SignInPage = () => {
  const { signIn, notice } = useSession();
  const [token, setToken] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const given = token.trim();
    setError(undefined);
    if (!isToken(given)) return setProblem('Paste an access token: it begins with cairn_ and has no spaces.');
    setProblem(undefined);
    setBusy(true);
    signIn(given).catch((thrown: unknown) => {
      setError(asApiError(thrown));
      setBusy(false);
    });
  };
  return (
    <main className={classes.page}>
      <Paper component="form" onSubmit={submit} className={classes.card} withBorder shadow="sm" p="xl" radius="md">
        <Stack>
          <div className={classes.brand}>
            <CairnIcon size={36} />
            <Title order={1} size="h2">
              Cairn
            </Title>
          </div>
          <Text c="dimmed" size="sm">
            The knowledge base of your agents. Sign in with an access token; the first start of Cairn prints one and
            keeps it in <code>CAIRN_HOME/admin-token</code>.
          </Text>
          {notice && !error && (
            <Alert color="yellow" title={notice.title} role="status">
              <Advice text={notice.advice ?? ''} />
            </Alert>
          )}
          {error && <Failure error={error} />}
          <PasswordInput
            label="Access token"
            placeholder="cairn_…"
            value={token}
            error={problem}
            onChange={(event) => setToken(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            autoFocus
          />
          <Button type="submit" loading={isBusy} fullWidth>
            Sign in
          </Button>
        </Stack>
      </Paper>
    </main>
  );
};
