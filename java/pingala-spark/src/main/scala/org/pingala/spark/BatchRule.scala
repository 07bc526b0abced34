package org.pingala.spark

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, FilterExec, ProjectExec, SparkPlan}

/** Takes the functions out of projections and filters, so that [[BatchExec]] computes them for many rows at a time. */
object BatchRule extends ColumnarRule {
  override def preColumnarTransitions: Rule[SparkPlan] = Extract

  private object Extract extends Rule[SparkPlan] {
    override def apply(plan: SparkPlan): SparkPlan = plan.transformUp {
      case ProjectExec(list, child) if list.exists(found(_).nonEmpty) =>
        val (changed, below) = extract(list, child)
        ProjectExec(changed.map(_.asInstanceOf[NamedExpression]), below)
      case filter @ FilterExec(condition, child) if found(condition).nonEmpty =>
        val (changed, below) = extract(Seq(condition), child)
        ProjectExec(filter.output, FilterExec(changed.head, below))
    }
  }

  /** The functions to compute first: those that every row needs, and whose arguments have none that could be taken out before. */
  private def found(expression: Expression): Seq[BatchExpression] = expression match {
    case function: BatchExpression =>
      val inside = function.children.flatMap(found)
      if (inside.nonEmpty) inside else Seq(function)
    // Errors of a branch that is not taken must not be seen.
    case conditional: ConditionalExpression => conditional.alwaysEvaluatedInputs.flatMap(found)
    case And(left, _) => found(left)
    case Or(left, _) => found(left)
    case _: HigherOrderFunction | _: SubqueryExpression => Nil
    case other => other.children.flatMap(found)
  }

  private def extract(expressions: Seq[Expression], child: SparkPlan): (Seq[Expression], SparkPlan) = {
    val functions = expressions.flatMap(found)
    if (functions.isEmpty) {
      return (expressions, child)
    }
    val named = functions.foldLeft(Vector.empty[(BatchExpression, AttributeReference)]) { (all, function) =>
      if (all.exists(_._1.semanticEquals(function))) all
      else all :+ ((function, AttributeReference(function.functionName, function.dataType, nullable = true)()))
    }
    val changed = expressions.map(_.transformDown {
      case function: BatchExpression => named.find(_._1.semanticEquals(function)).map(_._2).getOrElse(function)
    })
    extract(changed, BatchExec(named.map(_._1), named.map(_._2), child))
  }
}
