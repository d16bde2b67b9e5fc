-- As in 0002_quota.sql, which tells what it does, but for how it finds the reservations that are closed by the same
-- events: a join of the events with themselves took quadratic time, as the planner expects one of them. An event
-- carries answer and expiry only when its reservation stays open, and life and state after it only when it is the
-- last of its account.
create or replace function quota_drain(p_events jsonb) returns jsonb language plpgsql volatile as $$
declare
  diverged jsonb := '[]';
  s record;
  b quota_balances;
  too_many_monthly bigint;
  too_many_credits bigint;
begin
  for s in
    with event as materialized (
      select distinct on (id, kind) * from jsonb_to_recordset(p_events) as x (
        n integer, kind text, id uuid, account uuid, life text, period date, monthly bigint,
        credits bigint, "expiresMs" bigint, answer jsonb, "after" jsonb
      ) order by id, kind, n
    ), recorded as (
      insert into quota_events (reservation_id, kind, account_id, period, monthly, credits)
      select id, kind, account, period, monthly, credits from event order by n
      on conflict do nothing returning reservation_id, kind
    ), fresh as materialized (
      select event.*, max(period) over (partition by account) as last_period,
        bool_or(event.kind = 'settle') over (partition by id) as is_closed
      from event join recorded on recorded.reservation_id = event.id and recorded.kind = event.kind
    ), opened as (
      insert into quota_reservations (id, account_id, period, from_monthly, from_credits, expires_at, answer)
      select id, account, period, monthly, -credits, to_timestamp("expiresMs" / 1000.0), answer from fresh
      where kind = 'reserve' and answer is not null and not is_closed
      on conflict do nothing
    ), closed as (
      delete from quota_reservations r using fresh where fresh.kind = 'settle' and r.id = fresh.id
    ), granted as (
      update credit_grants g set applied_at = clock_timestamp() from fresh where fresh.kind = 'grant' and g.id = fresh.id
    ), last_told as (
      select distinct on (account) account, kind, id, life, "after" from event where "after" is not null
      order by account, n desc
    )
    select f.account, f.last_period,
      sum(f.monthly) filter (where f.period = f.last_period) as monthly,
      coalesce(-sum(f.credits) filter (where f.period = f.last_period and f.kind <> 'grant'), 0) as credits_used,
      sum(f.credits) as credits,
      l.life, l."after", bool_or(f.id = l.id and f.kind = l.kind) as checkable
    from fresh f left join last_told l on l.account = f.account
    group by f.account, f.last_period, l.life, l."after" order by f.account
  loop
    select * into b from quota_balances where account_id = s.account for update;
    continue when not found;
    if s.last_period > b.period then
      b.period := s.last_period;
      b.monthly_used := 0;
      b.credits_used := 0;
    end if;
    if s.last_period = b.period then
      b.monthly_used := b.monthly_used + s.monthly;
      b.credits_used := greatest(b.credits_used + s.credits_used, 0);
    end if;
    b.credits := b.credits + s.credits;

    too_many_monthly := greatest(-b.monthly_used, 0);
    too_many_credits := greatest(-b.credits, 0);
    b.monthly_used := b.monthly_used + too_many_monthly;
    b.credits := b.credits + too_many_credits;
    perform quota_save(b);
    if s.checkable and s."after" <> jsonb_build_array(b.period, b.monthly_used, b.credits_used, b.credits) then
      diverged := diverged || jsonb_build_object('accountId', s.account, 'life', s.life);
      insert into quota_events (reservation_id, kind, account_id, period, monthly, credits, note)
      values (gen_random_uuid(), 'correction', s.account, b.period, too_many_monthly, too_many_credits,
        'Redis held ' || s."after"::text);
    elsif too_many_monthly + too_many_credits > 0 then
      insert into quota_events (reservation_id, kind, account_id, period, monthly, credits, note)
      values (gen_random_uuid(), 'correction', s.account, b.period, too_many_monthly, too_many_credits,
        'given out twice');
    end if;
  end loop;
  return diverged;
end $$;
