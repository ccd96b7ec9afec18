create or replace function retrieval.prefers_exact(
  p_scope bigint, p_total bigint, p_wanted int
) returns boolean language sql immutable
as $function$
  -- The index must walk past wanted * total / scope rows to find the wanted ones, at some three times the cost of a row
  -- of the exact scan.
  select p_scope <= 2000 or p_scope * p_scope <= 3 * p_wanted * p_total
$function$;
