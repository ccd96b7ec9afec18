import { Badge, Table, Title } from '@mantine/core';
import { useLoad } from '../../api/use-load.js';
import type { ProjectionLag } from '../../api/answers.js';
import { useLive } from '../../live/live.js';
import { useApi } from '../../session/session.js';
import { plural } from '../../ui/format.js';
import { ErrorNote, Loading } from '../../ui/states.js';
import classes from './projection-list.module.css';

const Lag = ({ lagOps, lagSeconds }: ProjectionLag) =>
  lagOps === 0 ? (
    <Badge color="teal">up to date</Badge>
  ) : (
    <Badge color="yellow" variant="light" tt="none">
      {plural(lagOps, 'op')} · {lagSeconds.toFixed(1)} s behind
    </Badge>
  );

/** Loaded once, then kept up to date by the events. */
export const ProjectionList = () => {
  const api = useApi();
  const live = useLive();
  const { data, error, reload } = useLoad('projections', () => api.call('GET /projections'));
  const projections = data?.items.map((known) => ({
    ...known,
    ...live.projections?.find(({ name }) => name === known.name),
  }));
  return (
    <section aria-label="Projections">
      <Title order={2} size="h4" mb="xs">
        Projections
      </Title>
      {error && <ErrorNote error={error} onRetry={reload} />}
      {!projections && !error && <Loading />}
      {projections && (
        <div className={classes.scroll}>
          <Table withTableBorder>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Version</Table.Th>
                <Table.Th>Position</Table.Th>
                <Table.Th>Lag</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {projections.map((projection) => (
                <Table.Tr key={projection.name}>
                  <Table.Td>{projection.name}</Table.Td>
                  <Table.Td>{projection.version}</Table.Td>
                  <Table.Td>
                    {projection.checkpoint} of {projection.head}
                  </Table.Td>
                  <Table.Td>
                    <Lag {...projection} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </section>
  );
};
