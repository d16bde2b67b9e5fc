-- The rights of a gateway with ROLE=redirect, and no others: the role tessera_redirect reads what links, own domains and
-- items of the resolver lead to, and counts visits. Run it as the owner of the tables, after their first migration and
-- after each later one, before such gateways of the new version start:
--
--   createuser --host=db1 --username=postgres --pwprompt tessera_redirect
--   psql "$DATABASE_URL" --file=deploy/postgres/redirect-role.sql
--
-- docs/operations/roles.md says which rights are for what.
begin;

do $$
begin
  execute format('revoke all on all tables in schema %I from tessera_redirect', current_schema());
  execute format('grant usage on schema %I to tessera_redirect', current_schema());
end
$$;

-- Which migrations the database has.
grant select on migrations to tessera_redirect;

-- Where short links lead. A link's password is kept as a hash, against which visitors are checked.
grant select (slug, account_id, domain_id) on links to tessera_redirect;
grant select (slug, destination, active_from, active_until, before_destination, after_destination, rules, rule_set_id,
  visit_limit, password_hash, forward, imported_scans) on live_links to tessera_redirect;
grant select (slug, link_slug, domain_id) on own_slugs to tessera_redirect;
grant select (id, dead_link_url, forward, redirect_max_age_s) on accounts to tessera_redirect;
grant select (id, rules) on rule_sets to tessera_redirect;

-- Own domains and what they answer, and what visitors ask of them in vain.
grant select (id, account_id, host, prefix, verified_at, answers, forward, unknown_requests) on domains
  to tessera_redirect;
grant update (unknown_requests) on domains to tessera_redirect;
grant select, insert, update, delete on unknown_slugs to tessera_redirect;

-- Where Digital Link URIs lead.
grant select (path, account_id, shapes) on resolver_keys to tessera_redirect;
grant select (id, path, account_id, slug, links) on resolver_items to tessera_redirect;

-- Scans, and what is counted of them. Triggers tell webhooks with the rights of the owner.
grant select, insert on scans, scan_visitors to tessera_redirect;
grant select, insert, update on scan_series, scan_account_series, scan_breakdowns, scan_totals to tessera_redirect;
grant select, insert, update on visitor_salts to tessera_redirect;

-- What is counted of scans in ClickHouse.
grant select on scans_elsewhere to tessera_redirect;
grant select, insert on scan_groups to tessera_redirect;

commit;
