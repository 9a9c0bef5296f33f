#pragma once

#include "analyzer/core/file_facts.h"
#include "analyzer/serial/field_list.h"

// The fields of all that facts are made of, one list for each struct of analyzer/core. A new field of a struct is one
// more entry here; without it the program does not build. A name is part of the stored form.

namespace padlint {

template <>
inline constexpr auto fields<OffsetStep> =
    FieldList(Field{"text", &OffsetStep::text}, Field{"source", &OffsetStep::source});

template <>
inline constexpr auto fields<Value> =
    FieldList(Field{"kind", &Value::kind}, Field{"span", &Value::span}, Field{"text", &Value::text},
              Field{"number", &Value::number}, Field{"label", &Value::label}, Field{"parts", &Value::parts},
              Field{"steps", &Value::steps});

template <>
inline constexpr auto fields<Event> =
    FieldList(Field{"kind", &Event::kind}, Field{"span", &Event::span}, Field{"value", &Event::value},
              Field{"number", &Event::number}, Field{"use", &Event::use}, Field{"target", &Event::target});

template <>
inline constexpr auto fields<Edge> =
    FieldList(Field{"kind", &Edge::kind}, Field{"target", &Edge::target}, Field{"span", &Edge::span});

template <>
inline constexpr auto fields<Block> =
    FieldList(Field{"events", &Block::events}, Field{"condition", &Block::condition}, Field{"edges", &Block::edges});

template <>
inline constexpr auto fields<Flow> = FieldList(Field{"blocks", &Flow::blocks});

template <>
inline constexpr auto fields<Binding> =
    FieldList(Field{"name", &Binding::name}, Field{"role", &Binding::role}, Field{"value", &Binding::value},
              Field{"type", &Binding::type}, Field{"routine", &Binding::routine}, Field{"span", &Binding::span});

template <>
inline constexpr auto fields<Parameter> =
    FieldList(Field{"name", &Parameter::name}, Field{"type", &Parameter::type}, Field{"initial", &Parameter::initial},
              Field{"span", &Parameter::span});

template <>
inline constexpr auto fields<SqlSignature> =
    FieldList(Field{"schema", &SqlSignature::schema}, Field{"name", &SqlSignature::name},
              Field{"language", &SqlSignature::language}, Field{"volatility", &SqlSignature::volatility},
              Field{"returns", &SqlSignature::returns}, Field{"argument_types", &SqlSignature::argument_types},
              Field{"strict", &SqlSignature::strict});

template <>
inline constexpr auto fields<Routine> =
    FieldList(Field{"form", &Routine::form}, Field{"name", &Routine::name}, Field{"owner", &Routine::owner},
              Field{"parent", &Routine::parent}, Field{"span", &Routine::span}, Field{"name_span", &Routine::name_span},
              Field{"generator", &Routine::generator}, Field{"parameters", &Routine::parameters},
              Field{"annotations", &Routine::annotations}, Field{"result_type", &Routine::result_type},
              Field{"bindings", &Routine::bindings}, Field{"reads", &Routine::reads},
              Field{"returns", &Routine::returns}, Field{"flow", &Routine::flow}, Field{"sql", &Routine::sql});

template <>
inline constexpr auto fields<Class> =
    FieldList(Field{"name", &Class::name}, Field{"span", &Class::span}, Field{"routine", &Class::routine},
              Field{"bases", &Class::bases}, Field{"bindings", &Class::bindings}, Field{"fields", &Class::fields},
              Field{"interface", &Class::interface}, Field{"part_of", &Class::part_of});

template <>
inline constexpr auto fields<Import> = FieldList(Field{"local", &Import::local}, Field{"module", &Import::module},
                                                 Field{"name", &Import::name}, Field{"span", &Import::span});

template <>
inline constexpr auto fields<RowShape> =
    FieldList(Field{"from_rows", &RowShape::from_rows}, Field{"unique_lookup", &RowShape::unique_lookup},
              Field{"limit", &RowShape::limit}, Field{"offset", &RowShape::offset},
              Field{"with_ties", &RowShape::with_ties}, Field{"distinct", &RowShape::distinct},
              Field{"aggregated", &RowShape::aggregated}, Field{"sorts_by_call", &RowShape::sorts_by_call},
              Field{"ordered", &RowShape::ordered},
              Field{"sorted_or_filtered_outside", &RowShape::sorted_or_filtered_outside},
              Field{"limit_outside", &RowShape::limit_outside}, Field{"source_limited", &RowShape::source_limited},
              Field{"other_condition", &RowShape::other_condition}, Field{"joined", &RowShape::joined},
              Field{"case_guard", &RowShape::case_guard}, Field{"in_exists_list", &RowShape::in_exists_list},
              Field{"unread_cte", &RowShape::unread_cte}, Field{"limit_span", &RowShape::limit_span});

template <>
inline constexpr auto fields<SqlCall> =
    FieldList(Field{"schema", &SqlCall::schema}, Field{"name", &SqlCall::name}, Field{"span", &SqlCall::span},
              Field{"name_span", &SqlCall::name_span}, Field{"arguments", &SqlCall::arguments},
              Field{"position", &SqlCall::position}, Field{"rows", &SqlCall::rows});

template <>
inline constexpr auto fields<Statement> =
    FieldList(Field{"kind", &Statement::kind}, Field{"span", &Statement::span}, Field{"calls", &Statement::calls},
              Field{"reads", &Statement::reads}, Field{"writes", &Statement::writes}, Field{"name", &Statement::name},
              Field{"value", &Statement::value}, Field{"local", &Statement::local}, Field{"into", &Statement::into},
              Field{"works", &Statement::works}, Field{"parsed", &Statement::parsed});

template <>
inline constexpr auto fields<ConfigFact> =
    FieldList(Field{"kind", &ConfigFact::kind}, Field{"section", &ConfigFact::section},
              Field{"target", &ConfigFact::target}, Field{"setting", &ConfigFact::setting},
              Field{"value", &ConfigFact::value}, Field{"environment", &ConfigFact::environment},
              Field{"span", &ConfigFact::span});

template <>
inline constexpr auto fields<Suppression> = FieldList(
    Field{"span", &Suppression::span}, Field{"rules", &Suppression::rules}, Field{"reason", &Suppression::reason});

template <>
inline constexpr auto fields<FileTraits> =
    FieldList(Field{"test", &FileTraits::test}, Field{"generated", &FileTraits::generated},
              Field{"vendored", &FileTraits::vendored}, Field{"example", &FileTraits::example});

template <>
inline constexpr auto fields<Notice> =
    FieldList(Field{"kind", &Notice::kind}, Field{"id", &Notice::id}, Field{"path", &Notice::path},
              Field{"span", &Notice::span}, Field{"text", &Notice::text});

template <>
inline constexpr auto fields<FileFacts> =
    FieldList(Field{"file", &FileFacts::file}, Field{"path", &FileFacts::path}, Field{"language", &FileFacts::language},
              Field{"traits", &FileFacts::traits}, Field{"imports", &FileFacts::imports},
              Field{"routines", &FileFacts::routines}, Field{"classes", &FileFacts::classes},
              Field{"statements", &FileFacts::statements}, Field{"configs", &FileFacts::configs},
              Field{"suppressions", &FileFacts::suppressions}, Field{"notices", &FileFacts::notices});

} // namespace padlint
